"""Draws and estimates from files and back; `fangs.io.registry` lists the kinds of files."""

from fangs.io.registry import check_target, read, write_estimate, write_samples

__all__ = ["check_target", "read", "write_estimate", "write_samples"]
