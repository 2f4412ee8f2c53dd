"""A media player: decodes a video with sound and shows each frame at its time."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness.case import Case


class Player(Case):
    name = "player"
    title = "gst-launch decodes two seconds of Theora and Vorbis and keeps to their timestamps"
    process = "gst-launch-1.0"
    chain = ("gst-launch-1.0",)
    largest = "gst-launch-1.0"
    explained_goal = 0.95
    expects_timeouts = True   # each frame waits for its time

    def prepare(self, stage):
        self.film = stage.path("film.ogg")
        stage.run("gst-launch-1.0", "-q", "oggmux", "name=mux", "!", "filesink", f"location={self.film}",
                  "videotestsrc", "num-buffers=50", "pattern=ball", "!", "video/x-raw,width=640,height=360,framerate=25/1", "!",
                  "theoraenc", "!", "queue", "!", "mux.",
                  "audiotestsrc", "num-buffers=86", "!", "vorbisenc", "!", "queue", "!", "mux.")
        self.play(stage, stage.run)

    def play(self, stage, start):
        return start("gst-launch-1.0", "-q", "filesrc", f"location={self.film}", "!", "oggdemux", "name=demux",
                     "demux.", "!", "queue", "!", "theoradec", "!", "videoconvert", "!", "fakesink", "sync=true",
                     "demux.", "!", "queue", "!", "vorbisdec", "!", "audioconvert", "!", "fakesink", "sync=true")

    def command(self, stage):
        return self.play(stage, lambda *words: [stage.program("timed"), *words])

    def expectations(self, measures, report):
        oversleeps = report["summary"]["oversleeps"]
        return [("no frame's wait is taken for an oversleep", not oversleeps, str([one["awaited"] for one in oversleeps]))]

    def agreements(self, measures, summary):
        return [("the time of the player", measures["wall"][0], summary["wall_ns"])]


CASES = [Player()]
