# my_plugin_exporter.py: exporter for Tailback: the findings of a report as a list in Markdown
#
# SPDX-License-Identifier: MIT-0

import gi

gi.require_version("Tailback", "1")
from gi.repository import GObject, Tailback


class MyPluginExporter(GObject.Object, Tailback.Exporter):
    __gtype_name__ = "MyPluginExporter"

    # A row in the window, and "--option title=no" on the command line.
    title = GObject.Property(type=bool, nick="Title", blurb="Begin with the title of the report",
                             default=True)

    def do_get_options(self):
        return ["title"]

    def do_get_extension(self):
        return "md"

    def do_export_report(self, report, stream, cancellable):
        lines = [f"# {report.get_title()}", ""] if self.title else []
        for i in range(report.get_n_findings()):
            finding = report.get_finding(i)
            lines.append(f"* {finding.get_text()}")
        stream.write_all("".join(f"{line}\n" for line in lines).encode(), cancellable)
        return True
