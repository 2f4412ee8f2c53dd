"""A Java program that collects garbage most of the time."""
# SPDX-License-Identifier: GPL-3.0-or-later

import re

from harness import java
from harness.expert import Answer, ExpertCase

PROGRAM = """
import java.util.ArrayList;

public final class Churn {
    static final class Node { Node left, right; long value; }

    static Node grow(int depth) {
        Node node = new Node();

        if (depth > 0) {
            node.left = grow(depth - 1);
            node.right = grow(depth - 1);
        }
        return node;
    }

    public static void main(String[] words) {
        ArrayList<Node> kept = new ArrayList<>();

        for (int i = 0; i < 2000; i++) {
            kept.add(grow(11));
            if (kept.size() > 400)
                kept.remove((i * 7) % 400);
        }
        System.out.println(kept.size());
    }
}
"""


class JavaGc(ExpertCase):
    name = "java-gc"
    title = ("a Java program that keeps many small objects in a small heap, "
             "with the serial collector")
    answer = Answer(
        sentence="The garbage collector (thread VM Thread) runs more than half of the time, and "
                 "the program waits for it: the heap is too small.",
        kinds=("garbage collection", "computing"), names={"process": "java", "thread": "VM Thread"},
        amount="pauses of the collector")

    def fetch(self):
        java.fetch()

    def prepare(self, stage):
        source = stage.write("Churn.java", PROGRAM)
        stage.run(java.tool("javac"), "-d", stage.folder, source)

    def command(self, stage):
        return [java.tool("java"), "-XX:+UseSerialGC", "-Xmx80m", "-Xlog:gc:gc.log", "-cp",
                stage.folder, "Churn"]

    def facts(self, truth, measures):
        with open(self.stage.path("gc.log"), encoding="utf-8") as log:
            pauses = sum(float(found)
                         for found in re.findall(r"Pause.* ([0-9.]+)ms$", log.read(), re.M))
        return {"pauses of the collector": round(pauses * 1e6)}

    def proof(self, facts, truth):
        return [("the collector's own log has pauses of half of the time",
                 facts["pauses of the collector"] >= 0.5 * truth.wall_ns)]


CASES = [JavaGc()]
