#!/bin/bash
# glibc 2.36 (pthread_join beside other waits of its threads), seen by strace 6.1
#
# Guess: in a process that shares no memory all futex calls have the flag of a private futex; a wait
#   with the flag of the real-time clock has a timeout; and each wait for a word is ended by a call
#   of another thread that wakes waiters of the same word.
# Behaviour: none of it holds for pthread_join: it waits for a word that is not private, without a
#   timeout but with the flag of the clock, and no thread makes a call that wakes it: the kernel
#   clears the word when the thread ends. A reader that pairs waits with wake-up calls finds nothing
#   that ended the wait, and one that looks for private waits misses it. Semaphores have the clock's
#   flag without a timeout, too, mutexes do not.
# Output seen: mutex: FUTEX_WAIT_PRIVATE, woken by a call
#   sem: FUTEX_WAIT_BITSET_PRIVATE|FUTEX_CLOCK_REALTIME, no timeout, woken by a call
#   join: FUTEX_WAIT_BITSET|FUTEX_CLOCK_REALTIME, no timeout, woken by no call
#
# Needs gcc and strace; leaves nothing. Exits with 0 while it behaves so, 1 when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > waits.c <<'C'
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;

static void *
work (void *kind)
{
  if (strcmp (kind, "mutex") == 0)
    {
      pthread_mutex_lock (&mutex);
      pthread_mutex_unlock (&mutex);
    }
  else if (strcmp (kind, "sem") == 0)
    sem_wait (&semaphore);
  else
    usleep (300000);
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_t thread;

  sem_init (&semaphore, 0, 0);
  pthread_mutex_lock (&mutex);
  pthread_create (&thread, NULL, work, argv[1]);
  if (strcmp (argv[1], "join") != 0)
    usleep (300000);
  pthread_mutex_unlock (&mutex);
  sem_post (&semaphore);
  if (strcmp (argv[1], "join") != 0)
    usleep (300000);
  return pthread_join (thread, NULL);
}
C
gcc -O0 -pthread -o waits waits.c
for kind in mutex sem join; do
  strace -f -e trace=futex -o "$kind.txt" ./waits "$kind"
done
python3 - <<'PYTHON'
import re
import sys

seen = {}
for kind in ("mutex", "sem", "join"):
    text = open(kind + ".txt", encoding="ascii").read()
    waits = re.findall(r"futex\((0x[0-9a-f]+), (FUTEX_WAIT[A-Z_|]*), \w+(?:, (\w+))?", text)
    word, operation, timeout = waits[0]
    woken = re.search(rf"futex\({word}, FUTEX_WAKE", text) is not None
    seen[kind] = operation, timeout in ("", "NULL"), woken
    limit = "" if kind == "mutex" else ", no timeout" if seen[kind][1] else ", a timeout"
    print(f"{kind}: {operation}{limit}, woken by {'a' if woken else 'no'} call")
clock = "FUTEX_CLOCK_REALTIME"
ok = (seen["mutex"][0] == "FUTEX_WAIT_PRIVATE" and seen["mutex"][2]
      and seen["sem"][0].endswith("_PRIVATE|" + clock) and seen["sem"][1] and seen["sem"][2]
      and seen["join"] == ("FUTEX_WAIT_BITSET|" + clock, True, False))
sys.exit(0 if ok else 1)
PYTHON
