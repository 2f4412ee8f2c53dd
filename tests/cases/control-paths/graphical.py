"""Programs that start with a window: the paper's xterm, and GTK's demo."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness import services
from harness.case import Case


class Graphical(Case):
    arguments = ()

    def prepare(self, stage):
        services.start_display(stage)
        stage.run(*self.arguments)   # font and icon caches

    def command(self, stage):
        return [stage.program("timed"), *self.arguments]

    def agreements(self, measures, summary):
        return [(f"the time of {self.process}", measures["wall"][0], summary["wall_ns"])]


class Xterm(Graphical):
    name = "xterm"
    title = "xterm -e sleep 0.2 under a private X server"
    arguments = ("xterm", "-e", "sleep", "0.2")
    process = "xterm"
    chain = ("xterm", "Xvfb")
    largest = "sleep"
    explained_goal = 0.9


class Gtk(Graphical):
    name = "gtk"
    title = "gtk4-demo starts, shows a window and ends by a timer after a second"
    arguments = ("gtk4-demo", "--run=clocks", "--autoquit")
    process = "gtk4-demo"
    chain = ("gtk4-demo",)
    largest = "gtk4-demo"
    explained_goal = 0.5    # a window that waits for its timer


CASES = [Xterm(), Gtk()]
