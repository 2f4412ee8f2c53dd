/* tailback-annotate.h: tells Tailback what it cannot see from outside of a program
 *
 * SPDX-License-Identifier: MIT-0
 *
 * Each function below is an instruction or two that do nothing, and a note about them in the program's file that is not loaded into
 * memory. When Tailback records the program it puts a probe there; otherwise nothing happens. Nothing has to be linked. The
 * notes are those of USDT probes of the provider “tailback”, so gdb, perf and bpftrace find them as well.
 *
 * For C and C++ with a compiler of the GNU kind, on x86-64 and AArch64 with ELF; elsewhere, and where
 * TAILBACK_ANNOTATE_DISABLE is defined before, the functions are empty.
 */

#ifndef TAILBACK_ANNOTATE_H
#define TAILBACK_ANNOTATE_H

#if defined __GNUC__ && defined __ELF__ && defined __LP64__ && (defined __x86_64__ || defined __aarch64__)   \
    && !defined TAILBACK_ANNOTATE_DISABLE
#  define TAILBACK_ANNOTATE_ACTIVE 1
#else
#  define TAILBACK_ANNOTATE_ACTIVE 0
#endif

#if defined __GNUC__
#  define TAILBACK_ANNOTATE_INLINE static __inline__ __attribute__ ((__always_inline__, __unused__))
#else
#  define TAILBACK_ANNOTATE_INLINE static inline
#endif

/* Linux 6.18 on x86-64 makes a probe of five bytes at once a call, which is faster than a trap; others single-step those, so one
 * stands before them. */
#if TAILBACK_ANNOTATE_ACTIVE && defined __x86_64__
#  define TAILBACK_ANNOTATE_NOTHING "nop\n\t.byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
#elif TAILBACK_ANNOTATE_ACTIVE
#  define TAILBACK_ANNOTATE_NOTHING "nop\n"
#endif

#if TAILBACK_ANNOTATE_ACTIVE
/* The note: lengths of owner and description, type 3; then where the instruction is, where the base is (programs that move
 * addresses of a finished file move it too), no semaphore; names and arguments. It goes away with the function it is about. */
#  define TAILBACK_ANNOTATE_PROBE(name, arguments, ...)                                                      \
    __asm__ volatile ("980: " TAILBACK_ANNOTATE_NOTHING "\t.pushsection .note.stapsdt,\"?\",\"note\"\n"      \
                      "\t.balign 4\n"                                                                        \
                      "\t.4byte 982f - 981f\n"                                                               \
                      "\t.4byte 984f - 983f\n"                                                               \
                      "\t.4byte 3\n"                                                                         \
                      "981:\t.asciz \"stapsdt\"\n"                                                           \
                      "982:\t.balign 4\n"                                                                    \
                      "983:\t.8byte 980b\n"                                                                  \
                      "\t.8byte _.stapsdt.base\n"                                                            \
                      "\t.8byte 0\n"                                                                         \
                      "\t.asciz \"tailback\"\n"                                                              \
                      "\t.asciz \"" name "\"\n"                                                              \
                      "\t.asciz \"" arguments "\"\n"                                                         \
                      "984:\t.balign 4\n"                                                                    \
                      "\t.popsection\n"                                                                      \
                      "\t.ifndef _.stapsdt.base\n"                                                           \
                      "\t.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"              \
                      "\t.weak _.stapsdt.base\n"                                                             \
                      "\t.hidden _.stapsdt.base\n"                                                           \
                      "_.stapsdt.base:\n"                                                                    \
                      "\t.space 1\n"                                                                         \
                      "\t.size _.stapsdt.base, 1\n"                                                          \
                      "\t.popsection\n"                                                                      \
                      "\t.endif\n" ::__VA_ARGS__)
/* Where the compiler has it anyway: a constant or a register. */
#  define TAILBACK_ANNOTATE_VALUE(value) "nr"(value)
#endif

/**
 * tailback_spin_begin:
 * @lock: what identifies the condition that is waited for: any address, the same as with tailback_spin_end() and
 *   tailback_release()
 *
 * From here on this thread runs only to wait: it tries again and again whether a condition has come true. Put it before the
 * loop, after the first try, so that a free lock costs nothing in a recording either. A sleep in between, as locks have that
 * spin first and then block, belongs to the same wait.
 */
TAILBACK_ANNOTATE_INLINE void
tailback_spin_begin (const volatile void *lock)
{
#if TAILBACK_ANNOTATE_ACTIVE
  TAILBACK_ANNOTATE_PROBE ("spin_begin", "8@%0", TAILBACK_ANNOTATE_VALUE (lock));
#else
  (void) lock;
#endif
}

/**
 * tailback_spin_end:
 * @lock: the condition
 *
 * The condition has come true; the thread goes on with its work.
 */
TAILBACK_ANNOTATE_INLINE void
tailback_spin_end (const volatile void *lock)
{
#if TAILBACK_ANNOTATE_ACTIVE
  TAILBACK_ANNOTATE_PROBE ("spin_end", "8@%0", TAILBACK_ANNOTATE_VALUE (lock));
#else
  (void) lock;
#endif
}

/**
 * tailback_release:
 * @lock: the condition
 *
 * This thread makes the condition true that others spin for: it releases the lock, raises the flag, publishes the data. Put
 * it right before the store that does, or it may come after the others' tailback_spin_end(). Those of the same process that
 * spin for @lock waited for the thread that released it last.
 */
TAILBACK_ANNOTATE_INLINE void
tailback_release (const volatile void *lock)
{
#if TAILBACK_ANNOTATE_ACTIVE
  TAILBACK_ANNOTATE_PROBE ("release", "8@%0", TAILBACK_ANNOTATE_VALUE (lock));
#else
  (void) lock;
#endif
}

/**
 * tailback_false_wakeup:
 *
 * This thread was woken, looked, and will go to sleep again, as what it waits for has not come: the waits before and after are
 * one. Put it between the look and the next sleep.
 */
TAILBACK_ANNOTATE_INLINE void
tailback_false_wakeup (void)
{
#if TAILBACK_ANNOTATE_ACTIVE
  TAILBACK_ANNOTATE_PROBE ("false_wakeup", "", );
#endif
}

/**
 * tailback_work_done:
 * @name: what was done, such as "request", at most 63 bytes; NULL where there is but one kind of work
 * @count: how many of it
 *
 * Work of the program is done, which throughput is counted in.
 */
TAILBACK_ANNOTATE_INLINE void
tailback_work_done (const char *name, unsigned long count)
{
#if TAILBACK_ANNOTATE_ACTIVE
  TAILBACK_ANNOTATE_PROBE ("work_done", "8@%0 8@%1", TAILBACK_ANNOTATE_VALUE (name),
                           TAILBACK_ANNOTATE_VALUE (count));
#else
  (void) name;
  (void) count;
#endif
}

/**
 * tailback_phase_begin:
 * @name: what begins, such as "load", at most 63 bytes
 *
 * This thread begins a phase of the program's work. Phases of one thread may lie within each other.
 */
TAILBACK_ANNOTATE_INLINE void
tailback_phase_begin (const char *name)
{
#if TAILBACK_ANNOTATE_ACTIVE
  TAILBACK_ANNOTATE_PROBE ("phase_begin", "8@%0", TAILBACK_ANNOTATE_VALUE (name));
#else
  (void) name;
#endif
}

/**
 * tailback_phase_end:
 * @name: what ends, as it was called at its beginning
 *
 * This thread ends a phase.
 */
TAILBACK_ANNOTATE_INLINE void
tailback_phase_end (const char *name)
{
#if TAILBACK_ANNOTATE_ACTIVE
  TAILBACK_ANNOTATE_PROBE ("phase_end", "8@%0", TAILBACK_ANNOTATE_VALUE (name));
#else
  (void) name;
#endif
}

#endif /* TAILBACK_ANNOTATE_H */
