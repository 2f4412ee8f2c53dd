"""Java threads and one monitor."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness import java
from harness.expert import Answer, ExpertCase

PROGRAM = """
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

public final class Counter {
    private static final Object monitor = new Object();
    private static final AtomicLong blocked = new AtomicLong();
    private static long total;

    private static long compute(long steps) {
        long value = steps;

        for (long i = 0; i < steps; i++)
            value = value * 6364136223846793005L + 1442695040888963407L;
        return value;
    }

    private static void work(int rounds) {
        for (int i = 0; i < rounds; i++) {
            long before = System.nanoTime();

            synchronized (monitor) {
                blocked.addAndGet(System.nanoTime() - before);
                total += compute(1500000);
            }
        }
    }

    public static void main(String[] words) throws Exception {
        Thread[] threads = new Thread[4];

        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> work(2500), "counter-" + i);
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        if (total == 1)
            System.out.println();
        Files.writeString(Path.of(System.getenv("CASE_MEASURES")),
                          "blocked " + blocked.get() + "\\n", StandardOpenOption.CREATE,
                          StandardOpenOption.APPEND);
    }
}
"""


class JavaMonitor(ExpertCase):
    name = "java-monitor"
    title = "four Java threads that compute under one monitor"
    answer = Answer(
        sentence="The four threads wait for one monitor three quarters of their time: only one of "
                 "them computes at a time.",
        kinds=("lock",), names={"process": "java"}, amount="waited for the monitor")

    def fetch(self):
        java.fetch()

    def prepare(self, stage):
        source = stage.write("Counter.java", PROGRAM)
        stage.run(java.tool("javac"), "-d", stage.folder, source)

    def command(self, stage):
        return java.command(stage, "Counter")

    def facts(self, truth, measures):
        return {"waited for the monitor": measures["blocked"][0]}

    def proof(self, facts, truth):
        return [("the threads were blocked for more than the wall time",
                 facts["waited for the monitor"] >= 1.2 * truth.wall_ns)]


CASES = [JavaMonitor()]
