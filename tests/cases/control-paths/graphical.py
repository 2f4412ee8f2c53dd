"""Programs that open a window: the paper's xterm, and our own."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness import services
from harness.case import Case


class Graphical(Case):
    arguments = ()

    def prepare(self, stage):
        services.start_display(stage)
        stage.run(*self.arguments)   # fills the font and icon caches

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


class Window(Graphical):
    name = "window"
    title = "tailback opens a recording, shows its window, saves a picture of it and ends"
    process = "tailback"
    chain = ("tailback",)
    largest = "tailback"
    explained_goal = 0.9
    # The program sends thousands of requests to the display server, one after the other, with runs
    # of 50 µs on either side. One sample a millisecond misses most of them, and in libraries
    # without frame pointers only complete stacks allow inference. The remainder is the hand-over
    # itself: scheduler overhead, a fifth of the time.
    recording_options = ("dump-stacks=tailback,Xvfb", "ring-size=268435456", "frequency=4000")

    def prepare(self, stage):
        stage.run("tailback-cli", "record", "-o", "shown.tailback", "--", "sleep", "0.2")
        self.arguments = ("tailback", "--picture", "shown.png", "shown.tailback")
        super().prepare(stage)


CASES = [Xterm(), Window()]
