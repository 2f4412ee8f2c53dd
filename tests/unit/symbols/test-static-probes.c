/* test-static-probes.c: test of this program's own static probes, and of arguments in all forms
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <elf.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "annotate/tailback-annotate.h"
#include "symbols/tb-probe-operand-private.h"
#include "symbols/tb-static-probes.h"

typedef struct
{
  const char *text;
  guint8 kind;
  guint8 size;
  guint8 is_signed;
  guint8 base;
  guint8 index;
  guint8 shift;
  gint64 value;
} Case;

#define NONE TB_PROBE_REGISTER_NONE
#define IP TB_PROBE_REGISTER_IP
#define INSTRUCTION 0x1000

static gboolean
find_symbol (const char *name, guint64 *address, gpointer data)
{
  *address = 0x4000;
  return strcmp (name, "counter") == 0 || strcmp (name, "_ZN1a.b$1E") == 0;
}

static void
check_cases (guint machine, const Case *cases, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      TbProbeOperand operands[TB_PROBE_MAX_OPERANDS];
      guint n_found = tb_probe_operands_parse (cases[i].text, machine, INSTRUCTION, find_symbol,
                                               NULL, operands);

      g_test_message ("%s", cases[i].text);
      g_assert_cmpuint (n_found, ==, 1);
      g_assert_cmpuint (operands[0].kind, ==, cases[i].kind);
      if (cases[i].kind == TB_PROBE_OPERAND_UNKNOWN)
        continue;
      g_assert_cmpuint (operands[0].size, ==, cases[i].size);
      g_assert_cmpuint (operands[0].is_signed, ==, cases[i].is_signed);
      g_assert_cmpuint (operands[0].base, ==, cases[i].base);
      g_assert_cmpuint (operands[0].index, ==, cases[i].index);
      g_assert_cmpuint (operands[0].shift, ==, cases[i].shift);
      g_assert_cmpint (operands[0].value, ==, cases[i].value);
    }
}

#define CONSTANT(text, size, is_signed, value)                                                     \
  { text, TB_PROBE_OPERAND_CONSTANT, size, is_signed, NONE, NONE, 0, value }
#define REGISTER(text, size, is_signed, base)                                                      \
  { text, TB_PROBE_OPERAND_REGISTER, size, is_signed, base, NONE, 0, 0 }
#define MEMORY(text, size, base, index, shift, value)                                              \
  { text, TB_PROBE_OPERAND_MEMORY, size, FALSE, base, index, shift, value }
#define UNKNOWN(text) { text, TB_PROBE_OPERAND_UNKNOWN }

static void
test_x86 (void)
{
  static const Case cases[] = {
    CONSTANT ("8@$5", 8, FALSE, 5),
    CONSTANT ("-4@$-5", 4, TRUE, -5),
    CONSTANT ("8@$0xffffffffffffffff", 8, FALSE, -1),
    REGISTER ("8@%rdi", 8, FALSE, 5),
    REGISTER ("-4@%eax", 4, TRUE, 0),
    REGISTER ("2@%r15w", 2, FALSE, 15),
    REGISTER ("1@%spl", 1, FALSE, 7),
    REGISTER ("%rsi", 8, FALSE, 4),
    MEMORY ("8@(%rsp)", 8, 7, NONE, 0, 0),
    MEMORY ("4@-16(%rbp)", 4, 6, NONE, 0, -16),
    MEMORY ("8@8(%rax,%rdx,4)", 8, 0, 1, 2, 8),
    MEMORY ("8@(%rax,%rdx)", 8, 0, 1, 0, 0),
    MEMORY ("8@(,%r8,8)", 8, NONE, 8, 3, 0),
    MEMORY ("4@counter(%rip)", 4, IP, NONE, 0, 0x3000),
    MEMORY ("4@counter+8(%rip)", 4, IP, NONE, 0, 0x3008),
    MEMORY ("4@8+counter-4(%rip)", 4, IP, NONE, 0, 0x3004),
    MEMORY ("4@_ZN1a.b$1E(%rip)", 4, IP, NONE, 0, 0x3000),
    MEMORY ("4@counter", 4, IP, NONE, 0, 0x3000),
    MEMORY ("8@4096", 8, NONE, NONE, 0, 4096),
    UNKNOWN ("8@counter(%rax)"),
    UNKNOWN ("8@other(%rip)"),
    UNKNOWN ("8@16(%rip)"),
    UNKNOWN ("8@(%rax,%rip)"),
    UNKNOWN ("8@(%rax,%rdx,3)"),
    UNKNOWN ("8@(%rax"),
    UNKNOWN ("8@%xmm0"),
    UNKNOWN ("8f@%xmm0"),
    UNKNOWN ("16@%rax"),
    UNKNOWN ("8@%rip"),
    UNKNOWN ("3@%rax"),
    UNKNOWN ("8@"),
    UNKNOWN ("8@$"),
    UNKNOWN ("8@$5x"),
    UNKNOWN ("8@%fs:8"),
    UNKNOWN ("8@[x0, 8]"),
  };

  check_cases (EM_X86_64, cases, G_N_ELEMENTS (cases));
}

static void
test_arm (void)
{
  static const Case cases[] = {
    CONSTANT ("8@5", 8, FALSE, 5),
    CONSTANT ("-4@-5", 4, TRUE, -5),
    REGISTER ("8@x0", 8, FALSE, 0),
    REGISTER ("-4@w30", 4, TRUE, 30),
    REGISTER ("8@sp", 8, FALSE, 31),
    MEMORY ("8@[sp]", 8, 31, NONE, 0, 0),
    MEMORY ("8@[sp, 16]", 8, 31, NONE, 0, 16),
    MEMORY ("8@[x19,-8]", 8, 19, NONE, 0, -8),
    MEMORY ("8@[x1, x2]", 8, 1, 2, 0, 0),
    MEMORY ("8@[x1, x2, lsl 3]", 8, 1, 2, 3, 0),
    MEMORY ("8@[x1, x2, lsl #2]", 8, 1, 2, 2, 0),
    UNKNOWN ("8@x31"),
    UNKNOWN ("8@d0"),
    UNKNOWN ("8@[x1, x2, lsl 4]"),
    UNKNOWN ("8@[x1, x2, sxtw]"),
    UNKNOWN ("8@[x1"),
    UNKNOWN ("8@%rdi"),
  };

  check_cases (EM_AARCH64, cases, G_N_ELEMENTS (cases));
}

static void
test_several (void)
{
  TbProbeOperand operands[TB_PROBE_MAX_OPERANDS];

  g_assert_cmpuint (tb_probe_operands_parse ("", EM_X86_64, 0, NULL, NULL, operands), ==, 0);
  g_assert_cmpuint (tb_probe_operands_parse ("8@%rdi 8@?? -4@$1", EM_X86_64, 0, NULL, NULL,
                                             operands),
                    ==, 3);
  g_assert_cmpuint (operands[0].kind, ==, TB_PROBE_OPERAND_REGISTER);
  g_assert_cmpuint (operands[1].kind, ==, TB_PROBE_OPERAND_UNKNOWN);
  g_assert_cmpuint (operands[2].kind, ==, TB_PROBE_OPERAND_CONSTANT);
  /* Spaces inside brackets do not separate arguments. */
  g_assert_cmpuint (tb_probe_operands_parse ("8@[x0, x1, foo 9] 8@x2", EM_AARCH64, 0, NULL, NULL,
                                             operands),
                    ==, 2);
  g_assert_cmpuint (operands[1].kind, ==, TB_PROBE_OPERAND_REGISTER);
  g_assert_cmpuint (
      tb_probe_operands_parse ("8@$1 8@$1 8@$1 8@$1 8@$1 8@$1 8@$1 8@$1 8@$1 8@$1 8@$1 8@$1 8@$1",
                               EM_X86_64, 0, NULL, NULL, operands),
      ==, TB_PROBE_MAX_OPERANDS);
}

/* Random text: parsing always ends with a result. */
static void
test_random (void)
{
  static const char letters[] = "0123456789-+@$%()[],: abcdrspilx#f";
  TbProbeOperand operands[TB_PROBE_MAX_OPERANDS];

  for (guint round = 0; round < 200000; round++)
    {
      char text[24];
      guint length = g_test_rand_int_range (0, sizeof text), n;

      for (guint i = 0; i < length; i++)
        text[i] = letters[g_test_rand_int_range (0, sizeof letters - 1)];
      text[length] = '\0';
      n = tb_probe_operands_parse (text, round % 2 ? EM_X86_64 : EM_AARCH64, round, find_symbol,
                                   NULL, operands);
      g_assert_cmpuint (n, <=, TB_PROBE_MAX_OPERANDS);
      for (guint i = 0; i < n; i++)
        {
          const TbProbeOperand *operand = &operands[i];

          g_assert_cmpuint (operand->kind, <=, TB_PROBE_OPERAND_MEMORY);
          g_assert_true (operand->kind != TB_PROBE_OPERAND_REGISTER || operand->base < 32);
          g_assert_true (operand->base < 32 || operand->base == NONE || operand->base == IP);
          g_assert_true (operand->index < 32 || operand->index == NONE);
          g_assert_cmpuint (operand->shift, <=, 3);
        }
    }
}

/* A probe of this program, in a function with known code. */
__attribute__ ((noinline, noclone, used)) static guint
annotated (const char *phase, guint8 *lock)
{
  tailback_phase_begin (phase);
  tailback_spin_begin (lock);
  tailback_spin_end (lock);
  tailback_release (lock + 1);
  tailback_false_wakeup ();
  tailback_work_done (NULL, 1);
  tailback_work_done ("request", strlen (phase));
  tailback_phase_end (phase);
  return *lock;
}

static void
test_own (void)
{
  static const struct
  {
    const char *name;
    guint n_operands;
  } expected[]
      = { { "phase_begin", 1 },  { "spin_begin", 1 }, { "spin_end", 1 },  { "release", 1 },
          { "false_wakeup", 0 }, { "work_done", 2 },  { "work_done", 2 }, { "phase_end", 1 } };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) probes = NULL;
  g_autoptr (GPtrArray) others = NULL;
  int fd = g_open ("/proc/self/exe", O_RDONLY | O_CLOEXEC, 0);
  guint8 lock[2] = { 7 };

  if (!TAILBACK_ANNOTATE_ACTIVE)
    {
      g_test_skip ("programs cannot be annotated on this machine");
      close (fd);
      return;
    }
  g_assert_cmpuint (annotated ("phase", lock), ==, 7);
  probes = tb_static_probes_read (fd, "tailback", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (probes->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < probes->len; i++)
    {
      const TbStaticProbe *probe = g_ptr_array_index (probes, i);
#if defined __x86_64__
      guint8 code = 0;

      g_assert_cmpint (pread (fd, &code, 1, (off_t) probe->offset), ==, 1);
      g_assert_cmphex (code, ==, 0x90);
#endif
      g_assert_cmpstr (probe->provider, ==, "tailback");
      g_assert_cmpstr (probe->name, ==, expected[i].name);
      g_assert_cmpuint (probe->n_operands, ==, expected[i].n_operands);
      g_assert_cmpuint (probe->semaphore, ==, 0);
      for (guint j = 0; j < probe->n_operands; j++)
        g_assert_cmpuint (probe->operands[j].kind, !=, TB_PROBE_OPERAND_UNKNOWN);
      if (i > 0)
        g_assert_cmpuint (probe->offset, !=,
                          ((TbStaticProbe *) g_ptr_array_index (probes, i - 1))->offset);
    }
  others = tb_static_probes_read (fd, "somebody", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (others->len, ==, 0);
  close (fd);
}

static void
test_no_program (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) probes = NULL;
  int fd = g_open ("/proc/self/cmdline", O_RDONLY | O_CLOEXEC, 0);

  probes = tb_static_probes_read (fd, NULL, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_assert_null (probes);
  close (fd);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/static-probes/x86", test_x86);
  g_test_add_func ("/static-probes/arm", test_arm);
  g_test_add_func ("/static-probes/several", test_several);
  g_test_add_func ("/static-probes/random", test_random);
  g_test_add_func ("/static-probes/own", test_own);
  g_test_add_func ("/static-probes/no-program", test_no_program);
  return g_test_run ();
}
