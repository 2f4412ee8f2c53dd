/* slow.c: functions some of whose calls are slow, each for a different reason
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: slow CASE SECONDS
 *
 * Prints "ready", and calls f0 repeatedly. Nothing is inlined and no call becomes a jump, unless
 * that is the case under test.
 */

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "spin.h"
#include "tailback-annotate.h"

static uint64_t n_calls;
static uint64_t started; /* start of the program */

/* Sleeps briefly between calls. Otherwise per-CPU kernel threads, for which recorders have to wait,
 * would run only once a second where the program has real-time priority. */
static void
yield_cpu (void)
{
  static __thread uint64_t last;

  if (now () - last < 2000000)
    return;
  if (sched_getscheduler (0) == SCHED_FIFO)
    usleep (100);
  last = now ();
}

/* peaks: three paths, each at least ten times as slow as the one before */

NOINLINE static void
peaks_leaf_a (void)
{
  SPIN (2000);
  KEEP_FRAME;
}

NOINLINE static void
peaks_leaf_b (void)
{
  SPIN (40000);
  KEEP_FRAME;
}

NOINLINE static void
peaks_leaf_c (void)
{
  SPIN (400000);
  KEEP_FRAME;
}

NOINLINE static void
peaks_a (void)
{
  peaks_leaf_a ();
  KEEP_FRAME;
}

NOINLINE static void
peaks_b (void)
{
  peaks_leaf_a ();
  peaks_leaf_b ();
  KEEP_FRAME;
}

NOINLINE static void
peaks_c (void)
{
  peaks_leaf_a ();
  peaks_leaf_c ();
  peaks_leaf_a ();
  KEEP_FRAME;
}

NOINLINE static void
peaks_f0 (void)
{
  uint64_t n = n_calls++ % 50;

  if (n == 0)
    peaks_c ();
  else if (n % 7 == 0)
    peaks_b ();
  else
    peaks_a ();
  KEEP_FRAME;
}

/* paths: the same function is called on a fast path, from outside, and on a slow path */

NOINLINE static void
paths_common (int rounds)
{
  SPIN (rounds);
  KEEP_FRAME;
}

NOINLINE static void
paths_fast (void)
{
  paths_common (1000);
  KEEP_FRAME;
}

NOINLINE static void
paths_slow (void)
{
  paths_common (1000);
  paths_common (400000);
  KEEP_FRAME;
}

NOINLINE static void
paths_f0 (void)
{
  if (n_calls++ % 10 == 0)
    paths_slow ();
  else
    paths_fast ();
  KEEP_FRAME;
}

NOINLINE static void
paths_outside (void)
{
  paths_common (900000);
  KEEP_FRAME;
}

/* recursion: three levels deep, the deepest is slow */

NOINLINE static void
recursion_work (int rounds)
{
  SPIN (rounds);
  KEEP_FRAME;
}

NOINLINE static void
recursion_f0 (int depth)
{
  if (depth > 0)
    {
      recursion_work (500);
      recursion_f0 (depth - 1);
    }
  else
    recursion_work (n_calls++ % 5 == 0 ? 500000 : 5000);
  KEEP_FRAME;
}

/* pointers: the slow function is called through a pointer */

NOINLINE static void
pointers_quick (void)
{
  SPIN (2000);
  KEEP_FRAME;
}

NOINLINE static void
pointers_lazy (void)
{
  SPIN (300000);
  KEEP_FRAME;
}

static void (*volatile pointers[2]) (void) = { pointers_quick, pointers_lazy };

NOINLINE static void
pointers_f0 (void)
{
  pointers[n_calls++ % 8 == 0]();
  KEEP_FRAME;
}

/* loops: many short calls in one function, one long call in another */

NOINLINE static void
loops_short (void)
{
  SPIN (30000);
  KEEP_FRAME;
}

NOINLINE static void
loops_long (void)
{
  SPIN (3000000);
  KEEP_FRAME;
}

NOINLINE static void
loops_many (void)
{
  for (int i = 0; i < 25; i++)
    loops_short ();
  KEEP_FRAME;
}

NOINLINE static void
loops_one (void)
{
  loops_long ();
  KEEP_FRAME;
}

NOINLINE static void
loops_f0 (void)
{
  if (n_calls++ % 40 == 0)
    loops_one ();
  else if (n_calls % 4 == 0)
    loops_many ();
  else
    loops_short ();
  KEEP_FRAME;
}

/* many: more call sites than are probed at once; one of them is slow */

NOINLINE static void
many_quick (void)
{
  SPIN (200);
  KEEP_FRAME;
}

NOINLINE static void
many_slow (int is_slow)
{
  SPIN (is_slow ? 2000000 : 200);
  KEEP_FRAME;
}

#define FOUR_QUICK                                                                                 \
  many_quick ();                                                                                   \
  many_quick ();                                                                                   \
  many_quick ();                                                                                   \
  many_quick ();

NOINLINE static void
many_f0 (void)
{
  int is_slow = n_calls++ % 6 == 0;

  FOUR_QUICK
  if (n_calls % 2 == 0)
    {
      FOUR_QUICK
    }
  if (n_calls % 3 != 2)
    {
      many_quick ();
      many_slow (is_slow);
      many_quick ();
    }
  if (n_calls % 5 == 0)
    {
      FOUR_QUICK
      FOUR_QUICK
    }
  KEEP_FRAME;
}

/* tail: the slow function is reached by a jump */

NOINLINE static void
tail_end (int rounds)
{
  SPIN (rounds);
}

__attribute__ ((noinline, noclone, noipa, optimize ("O2"))) static void
tail_middle (int rounds)
{
  SPIN (1000);
  tail_end (rounds);
}

NOINLINE static void
tail_f0 (void)
{
  tail_middle (n_calls++ % 9 == 0 ? 250000 : 2500);
  KEEP_FRAME;
}

/* lock: from time to time a flusher holds the lock; the third argument of the program multiplies
 * how often */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned frequency_factor = 1;

NOINLINE static void
lock_take (void)
{
  pthread_mutex_lock (&lock);
  SPIN (1000);
  pthread_mutex_unlock (&lock);
}

NOINLINE static void
lock_f0 (void)
{
  SPIN (2000);
  lock_take ();
  KEEP_FRAME;
}

static void *
flush (void *unused)
{
  for (;;)
    {
      usleep (450000 / frequency_factor);
      pthread_mutex_lock (&lock);
      usleep (150000 / frequency_factor);
      pthread_mutex_unlock (&lock);
    }
  return unused;
}

/* files: read from the page cache, and every twentieth from the disk. That read is so large that it
 * mostly waits even for a fast disk. It goes into one large page, so that it is one request, which
 * fits into the disk's queue. */

#define LARGE (2u << 20)

static int file = -1, disk = -1;
static char *large;

NOINLINE static void
files_read (int from, size_t length, off_t at)
{
  if (pread (from, large, length, at) < 0)
    abort ();
  KEEP_FRAME;
}

NOINLINE static void
files_f0 (void)
{
  n_calls++;
  if (n_calls % 20 == 0)
    files_read (disk, LARGE, (off_t) (n_calls / 20 % 4 * LARGE));
  else
    files_read (file, 4096, (off_t) (n_calls % 2048 * 4096));
  KEEP_FRAME;
}

/* jumps: the function never returns */

static jmp_buf back;

NOINLINE static void
jumps_f0 (void)
{
  SPIN (1000);
  if (n_calls++ < UINT64_MAX)
    longjmp (back, 1);
  KEEP_FRAME;
}

/* short: about as long as the probes in it */

NOINLINE static void
short_leaf (void)
{
  SPIN (20);
  KEEP_FRAME;
}

NOINLINE static void
short_middle (void)
{
  short_leaf ();
  KEEP_FRAME;
}

NOINLINE static void
short_f0 (void)
{
  short_middle ();
  KEEP_FRAME;
}

/* edges: the first and last instructions of the function need single-stepping, their neighbours do
 * not; every other call continues in a second function */

#if defined __x86_64__
unsigned edges_slow (void);
void edges_fast (void);
void edges_f0 (void);

NOINLINE unsigned
edges_slow (void)
{
  SPIN (200000);
  return n_calls++ % 2;
}

NOINLINE void
edges_fast (void)
{
  SPIN (20000);
  KEEP_FRAME;
}

__asm__ (".pushsection .text\n"
         ".globl edges_f0\n"
         ".type edges_f0, @function\n"
         "edges_f0:\n"
         "sub $8, %rsp\n"
         "call edges_slow\n"
         "test %eax, %eax\n"
         "je 1f\n"
         "call edges_fast\n"
         "nop\n"
         "add $8, %rsp\n"
         "ret\n"
         "1: nop\n"
         "add $8, %rsp\n"
         "ret\n"
         ".size edges_f0, . - edges_f0\n"
         ".popsection\n");
#endif

/* steady: 0.7 ms each time, far from the limits of its bin, so that disturbances do not change the
 * bin */

NOINLINE static void
steady_leaf (void)
{
  SPIN (700000);
  KEEP_FRAME;
}

NOINLINE static void
steady_middle (void)
{
  steady_leaf ();
  KEEP_FRAME;
}

NOINLINE static void
steady_f0 (void)
{
  steady_middle ();
  KEEP_FRAME;
}

/* fading: every other call is slow until SIGUSR1 is received */

static volatile sig_atomic_t is_signalled;

static void
on_signal (int signal)
{
  is_signalled = signal != 0;
}

NOINLINE static void
fading_slow (void)
{
  SPIN (1400000);
  KEEP_FRAME;
}

NOINLINE static void
fading_f0 (void)
{
  if (!is_signalled && n_calls++ % 2 == 0)
    fading_slow ();
  KEEP_FRAME;
}

/* late: every other call is slow after SIGUSR1 is received */

NOINLINE static void
late_slow (void)
{
  SPIN (1400000);
  KEEP_FRAME;
}

NOINLINE static void
late_f0 (void)
{
  if (is_signalled && n_calls++ % 2 == 0)
    late_slow ();
  KEEP_FRAME;
}

/* phased: the same latency in each phase, on different paths */

static __thread int is_loading;

NOINLINE static void
phased_load (void)
{
  SPIN (200000);
  KEEP_FRAME;
}

NOINLINE static void
phased_rest (void)
{
  SPIN (200000);
  KEEP_FRAME;
}

NOINLINE static void
phased_f0 (void)
{
  if (is_loading)
    phased_load ();
  else
    phased_rest ();
  KEEP_FRAME;
}

static void
work_in_phases (void)
{
  is_loading = 1;
  tailback_phase_begin ("load");
  for (int i = 0; i < 5; i++)
    phased_f0 ();
  tailback_phase_end ("load");
  is_loading = 0;
  yield_cpu ();
  tailback_phase_begin ("loaded");
  for (int i = 0; i < 20; i++)
    phased_f0 ();
  tailback_phase_end ("loaded");
}

/* shared: nine of twenty calls on one path, the others on the other */

static void
work_on_two_paths (void)
{
  is_loading = n_calls++ % 20 < 9;
  phased_f0 ();
}

/* narrow: slow calls spend most time in one block of a function, fast calls in another */

NOINLINE static void
narrow_leaf (int is_slow)
{
  SPIN (100000);
  if (is_slow)
    SPIN (700000);
  KEEP_FRAME;
}

NOINLINE static void
narrow_f0 (void)
{
  narrow_leaf (n_calls++ % 8 == 0);
  KEEP_FRAME;
}

/* leaving: a phase begins in a thread that ends in it, or in a program that executes itself
 * again */

static void *
load_and_leave (void *unused)
{
  is_loading = 1;
  tailback_phase_begin ("load");
  for (int i = 0; i < 5; i++)
    phased_f0 ();
  return unused;
}

static void
leave_phases (const char *program, const char *which)
{
  pthread_t thread;

  if (strcmp (which, "leaving") == 0)
    {
      pthread_create (&thread, NULL, load_and_leave, NULL);
      pthread_join (thread, NULL);
    }
  for (int i = 0; i < 20; i++)
    phased_f0 ();
  if (strcmp (which, "renewed") == 0)
    {
      load_and_leave (NULL);
      /* Only the first program prints "ready". */
      if (freopen ("/dev/null", "w", stdout) == NULL)
        abort ();
      yield_cpu ();
      execl ("/proc/self/exe", program, "renewed", "600", NULL);
    }
}

/* twins: the same latency in each of two threads, on different paths */

static void *
call_phased (void *unused)
{
  for (;;)
    {
      phased_f0 ();
      usleep (1000);
    }
  return unused;
}

/* once: called a single time; varying: different calls are slow after a minute */

NOINLINE static void
once_f0 (void)
{
  SPIN (100000);
  KEEP_FRAME;
}

NOINLINE static void
varying_a (void)
{
  SPIN (100000);
  KEEP_FRAME;
}

NOINLINE static void
varying_b (void)
{
  SPIN (3000000);
  KEEP_FRAME;
}

NOINLINE static void
varying_f0 (void)
{
  if (now () - started > UINT64_C (60000000000))
    varying_b ();
  else
    varying_a ();
  KEEP_FRAME;
}

/* overlap: equally many calls of every length from 10 to 640 µs */

NOINLINE static void
overlap_f0 (void)
{
  uint64_t n = n_calls++ * UINT64_C (2654435761) >> 8;

  SPIN (10000 * (1 + n % 64));
  KEEP_FRAME;
}

/* inlined: part of its caller's code */

static inline __attribute__ ((always_inline)) void
inlined_f0 (void)
{
  SPIN (1000);
}

NOINLINE static void
inlined_caller (void)
{
  inlined_f0 ();
  KEEP_FRAME;
}

/* ending: the program ends in the middle of the first call after SIGUSR1 */

NOINLINE static void
ending_f0 (void)
{
  SPIN (200000);
  if (is_signalled)
    _exit (3);
  KEEP_FRAME;
}

static void
call (const char *which)
{
  if (strcmp (which, "peaks") == 0)
    peaks_f0 ();
  else if (strcmp (which, "paths") == 0)
    {
      paths_f0 ();
      if (n_calls % 3 == 0)
        paths_outside ();
    }
  else if (strcmp (which, "recursion") == 0)
    recursion_f0 (3);
  else if (strcmp (which, "pointers") == 0)
    pointers_f0 ();
  else if (strcmp (which, "loops") == 0)
    loops_f0 ();
  else if (strcmp (which, "many") == 0)
    many_f0 ();
  else if (strcmp (which, "tail") == 0)
    tail_f0 ();
  else if (strcmp (which, "lock") == 0)
    lock_f0 ();
  else if (strcmp (which, "files") == 0)
    files_f0 ();
  else if (strcmp (which, "jumps") == 0)
    {
      if (setjmp (back) == 0)
        jumps_f0 ();
    }
  else if (strncmp (which, "var", 3) == 0)
    varying_f0 ();
  else if (strcmp (which, "short") == 0)
    short_f0 ();
#if defined __x86_64__
  else if (strcmp (which, "edges") == 0)
    edges_f0 ();
#endif
  else if (strcmp (which, "steady") == 0)
    steady_f0 ();
  else if (strcmp (which, "fading") == 0)
    fading_f0 ();
  else if (strcmp (which, "late") == 0)
    late_f0 ();
  else if (strcmp (which, "narrow") == 0)
    narrow_f0 ();
  else if (strcmp (which, "phased") == 0)
    work_in_phases ();
  else if (strcmp (which, "shared") == 0)
    work_on_two_paths ();
  else if (strcmp (which, "overlap") == 0)
    overlap_f0 ();
  else if (strcmp (which, "inlined") == 0)
    inlined_caller ();
  else if (strcmp (which, "ending") == 0)
    ending_f0 ();
  else if (strcmp (which, "zero") == 0)
    (void) !read (file, &n_calls, 0);
  else
    usleep (1000);
}

/* threads: eight concurrent threads */
static void *
call_peaks (void *unused)
{
  for (;;)
    {
      peaks_f0 ();
      usleep (3000);
    }
  return unused;
}

int
main (int argc, char **argv)
{
  const char *which = argc > 1 ? argv[1] : "";
  uint64_t length = (uint64_t) ((argc > 2 ? atof (argv[2]) : 1) * 1e9);
  pthread_t thread;

  calibrate ();
  /* "varied" is "varying" started a minute ago. */
  started = now () - (strcmp (which, "varied") == 0 ? UINT64_C (100000000000) : 0);
  signal (SIGUSR1, on_signal);
  if (strcmp (which, "lock") == 0)
    {
      frequency_factor = argc > 3 ? (unsigned) atoi (argv[3]) : 1;
      pthread_create (&thread, NULL, flush, NULL);
    }
  for (int i = 0; strcmp (which, "threads") == 0 && i < 8; i++)
    pthread_create (&thread, NULL, call_peaks, NULL);
  if (strcmp (which, "files") == 0 || strcmp (which, "zero") == 0)
    file = open (argc > 3 ? argv[3] : argv[0], O_RDONLY);
  if (strcmp (which, "files") == 0)
    {
      disk = open (argc > 3 ? argv[3] : argv[0], O_RDONLY | O_DIRECT);
      large = aligned_alloc (LARGE, LARGE);
      madvise (large, LARGE, MADV_HUGEPAGE);
    }
  puts ("ready");
  fflush (stdout);
  if (strcmp (which, "once") == 0)
    once_f0 ();
  if (strcmp (which, "twins") == 0)
    {
      pthread_create (&thread, NULL, call_phased, NULL);
      is_loading = 1;
      call_phased (NULL);
    }
  while (now () - started < length)
    for (int i = 0; i < 10; i++)
      {
        if (strcmp (which, "leaving") == 0 || strcmp (which, "renewed") == 0)
          leave_phases (argv[0], which);
        else
          call (which);
        yield_cpu ();
      }
  printf ("%llu calls\n", (unsigned long long) n_calls);
  return 0;
}
