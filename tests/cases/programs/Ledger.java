/* Ledger.java: a service in Java whose handlers write each request to a log before they answer it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: java Ledger HANDLERS REQUESTS FILE [fixed]
 *
 * The log is synchronized, and what it does under the lock is to sync: handlers wait for one another, and whoever has the lock
 * for the disk. As fixed, handlers put their entries in a queue; whoever finds nobody syncing writes and syncs all that are
 * there, so that one sync does for several requests. Tells "work" (requests) and "wall" to CASE_MEASURES.
 */

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

public final class Ledger {
    private final FileChannel file;
    private final boolean fixed;
    private long asked, written;
    private boolean syncing;

    private Ledger(Path path, boolean fixed) throws IOException {
        this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        this.fixed = fixed;
    }

    private void write(long entries) throws IOException {
        for (long i = 0; i < entries; i++)
            file.write(ByteBuffer.allocate(512));
        file.force(false);
    }

    private synchronized void appendAlone() throws IOException {
        write(1);
    }

    private void appendTogether() throws IOException, InterruptedException {
        long mine, from, to;

        synchronized (this) {
            mine = ++asked;
            while (syncing && written < mine)
                wait();
            if (written >= mine)
                return;
            syncing = true;
            from = written;
            to = asked;
        }
        write(to - from);
        synchronized (this) {
            written = to;
            syncing = false;
            notifyAll();
        }
    }

    /* Work that no compiler removes: about a nanosecond a step. */
    private static long compute(long steps) {
        long value = steps;

        for (long i = 0; i < steps; i++)
            value = value * 6364136223846793005L + 1442695040888963407L;
        return value;
    }

    private void handle(long requests) {
        try {
            for (long i = 0; i < requests; i++) {
                if (compute(20000) == 1)
                    System.out.println();
                if (fixed)
                    appendTogether();
                else
                    appendAlone();
            }
        } catch (IOException | InterruptedException error) {
            throw new IllegalStateException(error);
        }
    }

    private static void tell(String line) throws IOException {
        String path = System.getenv("CASE_MEASURES");

        if (path != null)
            Files.writeString(Path.of(path), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    public static void main(String[] words) throws Exception {
        int handlers = Integer.parseInt(words[0]);
        long requests = Long.parseLong(words[1]);
        Ledger ledger = new Ledger(Path.of(words[2]), words.length > 3);
        Thread[] threads = new Thread[handlers];
        long start;

        compute(5000000);   // compiled before anything is measured
        start = System.nanoTime();
        for (int i = 0; i < handlers; i++) {
            threads[i] = new Thread(() -> ledger.handle(requests / handlers), "handler-" + i);
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        tell("work " + requests);
        tell("wall " + (System.nanoTime() - start));
    }
}
