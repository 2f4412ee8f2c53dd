/* slow.c: functions some of whose calls are slow, each for a reason of its own
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * slow CASE SECONDS: says "ready", and calls f0 again and again. Nothing is inlined and no call is turned into a jump, unless that is
 * the case.
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
static uint64_t started; /* of the program */

/* Between calls: threads of the kernel that belong to this cpu, which recorders have to wait for, would come to run once a second
 * where the program runs before all others. */
static void
make_way (void)
{
  static __thread uint64_t last;

  if (now () - last < 2000000)
    return;
  if (sched_getscheduler (0) == SCHED_FIFO)
    usleep (100);
  last = now ();
}

/* peaks: three paths, each ten times as slow as the one before or more */

APART static void
peaks_leaf_a (void)
{
  SPIN (2000);
  IN_PLACE;
}

APART static void
peaks_leaf_b (void)
{
  SPIN (40000);
  IN_PLACE;
}

APART static void
peaks_leaf_c (void)
{
  SPIN (400000);
  IN_PLACE;
}

APART static void
peaks_a (void)
{
  peaks_leaf_a ();
  IN_PLACE;
}

APART static void
peaks_b (void)
{
  peaks_leaf_a ();
  peaks_leaf_b ();
  IN_PLACE;
}

APART static void
peaks_c (void)
{
  peaks_leaf_a ();
  peaks_leaf_c ();
  peaks_leaf_a ();
  IN_PLACE;
}

APART static void
peaks_f0 (void)
{
  uint64_t n = n_calls++ % 50;

  if (n == 0)
    peaks_c ();
  else if (n % 7 == 0)
    peaks_b ();
  else
    peaks_a ();
  IN_PLACE;
}

/* paths: the same function is called on a fast path, outside, and on a slow one */

APART static void
paths_common (int rounds)
{
  SPIN (rounds);
  IN_PLACE;
}

APART static void
paths_fast (void)
{
  paths_common (1000);
  IN_PLACE;
}

APART static void
paths_slow (void)
{
  paths_common (1000);
  paths_common (400000);
  IN_PLACE;
}

APART static void
paths_f0 (void)
{
  if (n_calls++ % 10 == 0)
    paths_slow ();
  else
    paths_fast ();
  IN_PLACE;
}

APART static void
paths_outside (void)
{
  paths_common (900000);
  IN_PLACE;
}

/* recursion: three levels deep, the deepest is slow */

APART static void
recursion_work (int rounds)
{
  SPIN (rounds);
  IN_PLACE;
}

APART static void
recursion_f0 (int depth)
{
  if (depth > 0)
    {
      recursion_work (500);
      recursion_f0 (depth - 1);
    }
  else
    recursion_work (n_calls++ % 5 == 0 ? 500000 : 5000);
  IN_PLACE;
}

/* pointers: which function is slow only a pointer says */

APART static void
pointers_quick (void)
{
  SPIN (2000);
  IN_PLACE;
}

APART static void
pointers_lazy (void)
{
  SPIN (300000);
  IN_PLACE;
}

static void (*volatile pointers[2]) (void) = { pointers_quick, pointers_lazy };

APART static void
pointers_f0 (void)
{
  pointers[n_calls++ % 8 == 0]();
  IN_PLACE;
}

/* loops: many short calls in one function, a long one in another */

APART static void
loops_short (void)
{
  SPIN (30000);
  IN_PLACE;
}

APART static void
loops_long (void)
{
  SPIN (3000000);
  IN_PLACE;
}

APART static void
loops_many (void)
{
  for (int i = 0; i < 25; i++)
    loops_short ();
  IN_PLACE;
}

APART static void
loops_one (void)
{
  loops_long ();
  IN_PLACE;
}

APART static void
loops_f0 (void)
{
  if (n_calls++ % 40 == 0)
    loops_one ();
  else if (n_calls % 4 == 0)
    loops_many ();
  else
    loops_short ();
  IN_PLACE;
}

/* many: more calls than are probed at once, one of which is slow */

APART static void
many_quick (void)
{
  SPIN (200);
  IN_PLACE;
}

APART static void
many_slow (int is_slow)
{
  SPIN (is_slow ? 2000000 : 200);
  IN_PLACE;
}

#define FOUR_QUICK                                                                                           \
  many_quick ();                                                                                             \
  many_quick ();                                                                                             \
  many_quick ();                                                                                             \
  many_quick ();

APART static void
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
  IN_PLACE;
}

/* tail: the slow one is jumped to */

APART static void
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

APART static void
tail_f0 (void)
{
  tail_middle (n_calls++ % 9 == 0 ? 250000 : 2500);
  IN_PLACE;
}

/* lock: now and then a flusher holds the lock; as many times as often as the program's third argument says */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned n_times_as_often = 1;

APART static void
lock_take (void)
{
  pthread_mutex_lock (&lock);
  SPIN (1000);
  pthread_mutex_unlock (&lock);
}

APART static void
lock_f0 (void)
{
  SPIN (2000);
  lock_take ();
  IN_PLACE;
}

static void *
flush (void *unused)
{
  for (;;)
    {
      usleep (450000 / n_times_as_often);
      pthread_mutex_lock (&lock);
      usleep (150000 / n_times_as_often);
      pthread_mutex_unlock (&lock);
    }
  return unused;
}

/* files: from the page cache, and each twentieth from the disk: so large that it waits most of its time also where the disk
 * answers at once. Into one large page, so that it is one request, which finds room in the disk's queue. */

#define LARGE (2u << 20)

static int file = -1, disk = -1;
static char *large;

APART static void
files_read (int from, size_t length, off_t at)
{
  if (pread (from, large, length, at) < 0)
    abort ();
  IN_PLACE;
}

APART static void
files_f0 (void)
{
  n_calls++;
  if (n_calls % 20 == 0)
    files_read (disk, LARGE, (off_t) (n_calls / 20 % 4 * LARGE));
  else
    files_read (file, 4096, (off_t) (n_calls % 2048 * 4096));
  IN_PLACE;
}

/* jumps: it never returns */

static jmp_buf back;

APART static void
jumps_f0 (void)
{
  SPIN (1000);
  if (n_calls++ < UINT64_MAX)
    longjmp (back, 1);
  IN_PLACE;
}

/* short: as long as the probes that look into it */

APART static void
short_leaf (void)
{
  SPIN (20);
  IN_PLACE;
}

APART static void
short_middle (void)
{
  short_leaf ();
  IN_PLACE;
}

APART static void
short_f0 (void)
{
  short_middle ();
  IN_PLACE;
}

/* edges: neither its first instruction nor its last ones need not be single-stepped, but those next to them; every other call
 * goes on in a second one */

#if defined __x86_64__
unsigned edges_slow (void);
void edges_fast (void);
void edges_f0 (void);

APART unsigned
edges_slow (void)
{
  SPIN (200000);
  return n_calls++ % 2;
}

APART void
edges_fast (void)
{
  SPIN (20000);
  IN_PLACE;
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

/* steady: 0.7 ms, each time: far from the limits of its bin, so that what comes between changes none */

APART static void
steady_leaf (void)
{
  SPIN (700000);
  IN_PLACE;
}

APART static void
steady_middle (void)
{
  steady_leaf ();
  IN_PLACE;
}

APART static void
steady_f0 (void)
{
  steady_middle ();
  IN_PLACE;
}

/* fading: every other call is slow until SIGUSR1 comes */

static volatile sig_atomic_t has_faded;

static void
fade (int signal)
{
  has_faded = signal != 0;
}

APART static void
fading_slow (void)
{
  SPIN (1400000);
  IN_PLACE;
}

APART static void
fading_f0 (void)
{
  if (!has_faded && n_calls++ % 2 == 0)
    fading_slow ();
  IN_PLACE;
}

/* late: every other call is slow once SIGUSR1 has come */

APART static void
late_slow (void)
{
  SPIN (1400000);
  IN_PLACE;
}

APART static void
late_f0 (void)
{
  if (has_faded && n_calls++ % 2 == 0)
    late_slow ();
  IN_PLACE;
}

/* phased: as long in each phase, on another path */

static __thread int is_loading;

APART static void
phased_load (void)
{
  SPIN (200000);
  IN_PLACE;
}

APART static void
phased_rest (void)
{
  SPIN (200000);
  IN_PLACE;
}

APART static void
phased_f0 (void)
{
  if (is_loading)
    phased_load ();
  else
    phased_rest ();
  IN_PLACE;
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
  make_way ();
  tailback_phase_begin ("loaded");
  for (int i = 0; i < 20; i++)
    phased_f0 ();
  tailback_phase_end ("loaded");
}

/* narrow: in slow calls most of the time goes by in one block of a function, in fast ones in another */

APART static void
narrow_leaf (int is_slow)
{
  SPIN (100000);
  if (is_slow)
    SPIN (700000);
  IN_PLACE;
}

APART static void
narrow_f0 (void)
{
  narrow_leaf (n_calls++ % 8 == 0);
  IN_PLACE;
}

/* leaving: a phase begins in a thread that ends in it, or in a program that runs itself anew */

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
      /* Once is enough to be ready. */
      if (freopen ("/dev/null", "w", stdout) == NULL)
        abort ();
      make_way ();
      execl ("/proc/self/exe", program, "renewed", "600", NULL);
    }
}

/* twins: as long in each of two threads, on another path */

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

/* once: called a single time; varying: other calls are slow after a minute */

APART static void
once_f0 (void)
{
  SPIN (100000);
  IN_PLACE;
}

APART static void
varying_a (void)
{
  SPIN (100000);
  IN_PLACE;
}

APART static void
varying_b (void)
{
  SPIN (3000000);
  IN_PLACE;
}

APART static void
varying_f0 (void)
{
  if (now () - started > UINT64_C (60000000000))
    varying_b ();
  else
    varying_a ();
  IN_PLACE;
}

/* overlap: as many calls of every length from 10 to 640 µs */

APART static void
overlap_f0 (void)
{
  uint64_t n = n_calls++ * UINT64_C (2654435761) >> 8;

  SPIN (10000 * (1 + n % 64));
  IN_PLACE;
}

/* inlined: in the code of its caller */

static inline __attribute__ ((always_inline)) void
inlined_f0 (void)
{
  SPIN (1000);
}

APART static void
inlined_caller (void)
{
  inlined_f0 ();
  IN_PLACE;
}

/* ending: the program ends in the middle of a call, the first one after SIGUSR1 */

APART static void
ending_f0 (void)
{
  SPIN (200000);
  if (has_faded)
    _exit (3);
  IN_PLACE;
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

/* threads: eight at a time */
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
  /* "varied" is "varying" a minute later. */
  started = now () - (strcmp (which, "varied") == 0 ? UINT64_C (100000000000) : 0);
  signal (SIGUSR1, fade);
  if (strcmp (which, "lock") == 0)
    {
      n_times_as_often = argc > 3 ? (unsigned) atoi (argv[3]) : 1;
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
        make_way ();
      }
  printf ("%llu calls\n", (unsigned long long) n_calls);
  return 0;
}
