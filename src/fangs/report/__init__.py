"""One self-contained HTML page about an estimate, and what terminals and notebooks show of it."""

from fangs.report.page import check_page, write_report

__all__ = ["check_page", "write_report"]
