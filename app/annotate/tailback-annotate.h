/* tailback-annotate.h: functions that a program calls to report what Tailback cannot observe from
 * outside it: spinning, released locks, false wake-ups, completed work, phases
 *
 * SPDX-License-Identifier: MIT-0
 *
 * Each function below is one or two instructions that do nothing, and a note about them in the
 * program's file that is not loaded into memory. When Tailback records the program it puts a probe
 * there. Otherwise nothing happens. Nothing has to be linked. The notes are those of USDT probes of
 * the provider “tailback”, so gdb, perf and bpftrace find them as well.
 *
 * For C and C++ with a compiler compatible with GCC, on x86-64 and AArch64 with ELF. Elsewhere, and
 * where TAILBACK_ANNOTATE_DISABLE is defined before this header is included, the functions are
 * empty.
 */

#ifndef TAILBACK_ANNOTATE_H
#define TAILBACK_ANNOTATE_H

#if defined __GNUC__ && defined __ELF__ && defined __LP64__                                        \
    && (defined __x86_64__ || defined __aarch64__) && !defined TAILBACK_ANNOTATE_DISABLE
#  define TAILBACK_ANNOTATE_ACTIVE 1
#else
#  define TAILBACK_ANNOTATE_ACTIVE 0
#endif

#if defined __GNUC__
#  define TAILBACK_ANNOTATE_INLINE static __inline__ __attribute__ ((__always_inline__, __unused__))
#else
#  define TAILBACK_ANNOTATE_INLINE static inline
#endif

/* Linux 6.18 on x86-64 can replace a probe on a five-byte instruction by a call, which is faster
 * than a trap. Other kernels single-step such an instruction, so a one-byte one precedes it. */
#if TAILBACK_ANNOTATE_ACTIVE && defined __x86_64__
#  define TAILBACK_ANNOTATE_NOTHING "nop\n\t.byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
#elif TAILBACK_ANNOTATE_ACTIVE
#  define TAILBACK_ANNOTATE_NOTHING "nop\n"
#endif

#if TAILBACK_ANNOTATE_ACTIVE
/* The note: lengths of owner and description, and type 3. Then the address of the instruction, the
 * base address (tools that move addresses in a finished file move it too), and no semaphore. Then
 * names and arguments. The linker discards the note together with its function. */
#  define TAILBACK_ANNOTATE_PROBE(name, arguments, ...)                                            \
    __asm__ volatile ("980: " TAILBACK_ANNOTATE_NOTHING                                            \
                      "\t.pushsection .note.stapsdt,\"?\",\"note\"\n"                              \
                      "\t.balign 4\n"                                                              \
                      "\t.4byte 982f - 981f\n"                                                     \
                      "\t.4byte 984f - 983f\n"                                                     \
                      "\t.4byte 3\n"                                                               \
                      "981:\t.asciz \"stapsdt\"\n"                                                 \
                      "982:\t.balign 4\n"                                                          \
                      "983:\t.8byte 980b\n"                                                        \
                      "\t.8byte _.stapsdt.base\n"                                                  \
                      "\t.8byte 0\n"                                                               \
                      "\t.asciz \"tailback\"\n"                                                    \
                      "\t.asciz \"" name "\"\n"                                                    \
                      "\t.asciz \"" arguments "\"\n"                                               \
                      "984:\t.balign 4\n"                                                          \
                      "\t.popsection\n"                                                            \
                      "\t.ifndef _.stapsdt.base\n"                                                 \
                      "\t.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"    \
                      "\t.weak _.stapsdt.base\n"                                                   \
                      "\t.hidden _.stapsdt.base\n"                                                 \
                      "_.stapsdt.base:\n"                                                          \
                      "\t.space 1\n"                                                               \
                      "\t.size _.stapsdt.base, 1\n"                                                \
                      "\t.popsection\n"                                                            \
                      "\t.endif\n" ::__VA_ARGS__)
/* The value where the compiler already has it: a constant or a register. */
#  define TAILBACK_ANNOTATE_VALUE(value) "nr"(value)
#endif

/**
 * tailback_spin_begin:
 * @lock: identifies the condition that is waited for: any address, the same as for
 *   tailback_spin_end() and tailback_release()
 *
 * From here on this thread runs only to wait: it repeatedly checks whether a condition has become
 * true. Put the call before the loop, after the first check, so that a free lock costs nothing even
 * while a recording runs. A sleep within the loop belongs to the same wait, as with locks that spin
 * first and then block.
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
 * The condition has become true, and the thread continues its work.
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
 * This thread makes a condition true that other threads spin for: it releases the lock, sets the
 * flag or publishes the data. Put the call right before the store that does this. After the store
 * it might come later than tailback_spin_end() of the other threads. Threads of the same process
 * that spin for @lock waited for the thread that released it last.
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
 * This thread was woken, checked its condition, and will sleep again because the condition is not
 * true yet. The waits before and after are one wait. Put the call between the check and the next
 * sleep.
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
 * @name: the kind of work, such as "request", at most 63 bytes; NULL where there is only one kind
 * @count: amount of work
 *
 * The program has completed work. Throughput is measured in this work.
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
 * @name: name of the phase, such as "load", at most 63 bytes
 *
 * This thread begins a phase of the program's work. Phases of one thread may be nested.
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
 * @name: name of the phase, as at its beginning
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
