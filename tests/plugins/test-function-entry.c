/* test-function-entry.c: test of the search for the cheapest instruction to probe a function's
 * entry
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>
#include <glib.h>

#include "agent-client/probes/tb-function-entry.h"

#define CODE_MAX (4 * TB_FUNCTION_ENTRY_CODE)

static gsize
read_code (const char *hex, guint8 code[64])
{
  gsize n = 0;

  for (const char *at = hex; *at != '\0'; at += *at == ' ' ? 1 : 2)
    if (*at != ' ')
      code[n++] = (guint8) (g_ascii_xdigit_value (at[0]) << 4 | g_ascii_xdigit_value (at[1]));
  return n;
}

static void
check (const char *hex, guint expected)
{
  guint8 code[64];
  gsize length = read_code (hex, code);

  g_test_message ("%s", hex);
  g_assert_cmpuint (tb_function_entry_find (code, length), ==, expected);
}

static void
test_cheap (void)
{
  check ("55 4889e5 c3", 0);          /* push %rbp */
  check ("f30f1efa 55 4889e5 c3", 4); /* endbr64; push %rbp */
  check ("4154 c3", 0);               /* push %r12 */
  check ("90 c3", 0);                 /* nop */
  /* lea 0xa9fb25(%rip),%rax; mov (%rax),%r8d; shr $2,%r8d; imul (%rax),%r8d; test %rdx,%rdx; je;
   * from a function of MariaDB */
  check ("f30f1efa 488d0525fba900 448b00 41c1e802 440faf00 4885d2 7441 c3", 25);
  check ("31c0 eb00 c3", 2);         /* xor %eax,%eax; jmp */
  check ("4885ff e800000000 c3", 3); /* test %rdi,%rdi; call */
  check ("b801000000 0f8410000000 c3", 5);
}

/* A probe on the later instruction would see other registers or memory than one at the entry. */
static void
test_changed (void)
{
  check ("4883ec08 55 c3", 0);       /* sub $8,%rsp */
  check ("4889e5 55 c3", 0);         /* mov %rsp,%rbp: the frame is found through it */
  check ("4889f7 55 c3", 0);         /* mov %rsi,%rdi: no longer the first argument */
  check ("89f7 55 c3", 0);           /* mov %esi,%edi */
  check ("c70700000000 7400 c3", 0); /* movl $0,(%rdi): visible to other threads */
  check ("f00fb117 7500 c3", 0);     /* lock cmpxchg %edx,(%rdi) */
  check ("f00fc10f 55 c3", 0);       /* lock xadd %ecx,(%rdi) */
  check ("8737 55 c3", 0);           /* xchg %esi,(%rdi) */
  check ("4889fb 55 c3", 3);         /* mov %rdi,%rbx */
  check ("0f05 7400 c3", 0);         /* syscall */
  check ("0fa2 55 c3", 0);           /* cpuid */
  check ("f3aa 55 c3", 0);           /* rep stos: changes registers that it does not name */
  check ("c3 55 c3", 0);             /* ret: nothing after it is reached */
  check ("ffe0 55", 0);              /* jmp *%rax */
  check ("31c0 c3 55", 0);
  check ("31c0", 0); /* the file ends here */
  check ("", 0);
  check ("06 55", 0); /* invalid instruction */
}

/* An instruction that a jump back reaches again is hit several times in one call. */
static void
test_loops (void)
{
  /* xor %eax,%eax; L: mov (%rdi),%edx; test %edx,%edx; je L; ret */
  check ("31c0 8b17 85d2 74fa c3", 0);
  /* The same with the jump back further down: je +3; nop; jmp L; ret */
  check ("31c0 8b17 85d2 7403 90 ebf7 c3", 0);
  /* A jump back to the cheap instruction itself. */
  check ("31c0 85d2 7403 90 ebfb c3", 0);
  /* A jump back to the entry is equivalent to a call; a jump to a later instruction does no
   * harm. */
  check ("31c0 7402 ebfa c3", 2);
  check ("31c0 7401 90 ebfd c3", 2);
}

/* The length of the function is unknown. */
static void
test_far (void)
{
  g_autofree guint8 *code = g_malloc (CODE_MAX);
  const guint8 begin[] = { 0x31, 0xc0, 0x85, 0xd2, 0x74, 0x00 };
  gint32 distance;

  for (guint at = 100; at + 5 <= CODE_MAX; at = at * 2 + 1)
    {
      memset (code, 0x90, CODE_MAX);
      memcpy (code, begin, sizeof begin);
      code[at] = 0xe9;
      distance = 2 - (gint32) (at + 5);
      memcpy (code + at + 1, &distance, sizeof distance);
      g_assert_cmpuint (tb_function_entry_find (code, CODE_MAX), ==,
                        at + 5 <= TB_FUNCTION_ENTRY_CODE ? 0 : 4);
      /* Data between functions does not end the search. */
      code[50] = 0x06;
      g_assert_cmpuint (tb_function_entry_find (code, CODE_MAX), ==,
                        at + 5 <= TB_FUNCTION_ENTRY_CODE ? 0 : 4);
    }
  /* The search is abandoned if the function begins with too many expensive instructions. */
  memset (code, 0, CODE_MAX);
  for (guint i = 0; i < 64; i += 2)
    memcpy (code + i, begin, 2);
  code[64] = 0x55;
  g_assert_cmpuint (tb_function_entry_find (code, CODE_MAX), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#if defined __x86_64__
  g_test_add_func ("/function-entry/cheap", test_cheap);
  g_test_add_func ("/function-entry/changed", test_changed);
  g_test_add_func ("/function-entry/loops", test_loops);
  g_test_add_func ("/function-entry/far", test_far);
#endif
  return g_test_run ();
}
