"""One HTML page about an estimate: self-contained, without network, to be sent to a colleague."""

from fangs.report.page import write_report

__all__ = ["write_report"]
