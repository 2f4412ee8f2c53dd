/* test-agent-unwind-table.c: test of the unwind tables that the agent makes of ELF files: the same
 * rules as elfutils finds, none for what is not supported, nothing from hostile files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <glib.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/base/tb-agent-unwind-rules.h"
#include "agent/base/tb-agent-unwind-table.h"
#include "agent/bpf/programs/tb-bpf-unwind-table.h"

#define MAX_ROWS (4u << 20)
#define STEP 7 /* every seventh row of a large file is compared */
#define REGISTER_BP 6
#define REGISTER_SP 7
#define REGISTER_IP 16

/* The rule for the place of a register that elfutils describes by an expression */
static guint32
make_rule (const Dwarf_Op *cfa, gsize n_cfa, const Dwarf_Op *bp, gsize n_bp)
{
  gint64 saved = 0;
  guint kind;

  if (n_cfa != 1 || cfa->atom != DW_OP_bregx || (gint64) cfa->number2 % 8 != 0)
    return TB_BPF_UNWIND_UNKNOWN;
  if (cfa->number != REGISTER_SP && cfa->number != REGISTER_BP)
    return TB_BPF_UNWIND_UNKNOWN;
  kind = cfa->number == REGISTER_SP ? TB_BPF_UNWIND_BY_SP : TB_BPF_UNWIND_BY_BP;
  if (n_bp == 2 && bp[0].atom == DW_OP_call_frame_cfa && bp[1].atom == DW_OP_plus_uconst)
    saved = -(gint64) bp[1].number / 8;
  else if (n_bp != 0 || bp != NULL)
    return TB_BPF_UNWIND_UNKNOWN;
  return TB_BPF_UNWIND_RULE (kind, (gint64) cfa->number2 / 8, saved);
}

static guint32
find_rule (Dwarf_CFI *cfi, guint64 address)
{
  g_autofree Dwarf_Frame *frame = NULL;
  Dwarf_Op space[3], *cfa, *bp, *ip;
  size_t n_cfa, n_bp, n_ip;
  bool is_signal;
  int found;

  found = dwarf_cfi_addrframe (cfi, address, &frame);
  if (found != 0)
    return TB_BPF_UNWIND_UNKNOWN;
  dwarf_frame_info (frame, NULL, NULL, &is_signal);
  if (is_signal)
    return TB_BPF_UNWIND_RULE (TB_BPF_UNWIND_SIGNAL, 0, 0);
  g_assert_cmpint (dwarf_frame_register (frame, REGISTER_IP, space, &ip, &n_ip), ==, 0);
  if (n_ip == 0 && ip == space)
    return TB_BPF_UNWIND_RULE (TB_BPF_UNWIND_END, 0, 0);
  g_assert_cmpint (dwarf_frame_cfa (frame, &cfa, &n_cfa), ==, 0);
  g_assert_cmpint (dwarf_frame_register (frame, REGISTER_BP, space, &bp, &n_bp), ==, 0);
  return make_rule (cfa, n_cfa, bp, n_bp);
}

/* Offset in the file → address */
static guint64
find_address (Elf *elf, guint64 offset)
{
  size_t n = 0;

  g_assert_cmpint (elf_getphdrnum (elf, &n), ==, 0);
  for (size_t i = 0; i < n; i++)
    {
      GElf_Phdr header;

      g_assert_nonnull (gelf_getphdr (elf, (int) i, &header));
      if (header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0 && offset >= header.p_offset
          && offset - header.p_offset < header.p_filesz)
        return offset - header.p_offset + header.p_vaddr;
    }
  return 0;
}

/* Compares a row with what elfutils finds where it begins, and just before the next one. */
static void
compare_row (Dwarf_CFI *cfi, Elf *elf, const TbAgentUnwindTable *table, gsize i, guint *n_known)
{
  guint64 begin = find_address (elf, table->rows[i] >> 32);
  guint32 rule = (guint32) table->rows[i], expected;
  guint64 last = i + 1 < table->n ? find_address (elf, (table->rows[i + 1] >> 32) - 1) : begin;

  if (begin == 0)
    return;
  expected = find_rule (cfi, begin);
  if (expected == TB_BPF_UNWIND_UNKNOWN
      && (TB_BPF_UNWIND_KIND (rule) == TB_BPF_UNWIND_BY_PLT
          || TB_BPF_UNWIND_KIND (rule) == TB_BPF_UNWIND_BY_WORD))
    return;
  g_assert_cmphex (rule, ==, expected);
  if (last != 0)
    g_assert_cmphex (find_rule (cfi, last), ==, expected);
  *n_known += rule != TB_BPF_UNWIND_UNKNOWN;
}

static void
compare_file (const char *path, guint n_least, guint step)
{
  int file = open (path, O_RDONLY | O_CLOEXEC);
  TbAgentUnwindTable table;
  guint n_known = 0;
  Dwarf_CFI *cfi;
  Elf *elf;

  g_assert_cmpint (file, >=, 0);
  g_assert_cmpint (tb_agent_unwind_table_read (&table, file, MAX_ROWS), ==, 0);
  elf_version (EV_CURRENT);
  elf = elf_begin (file, ELF_C_READ_MMAP, NULL);
  cfi = dwarf_getcfi_elf (elf);
  g_assert_nonnull (cfi);
  for (gsize i = 0; i < table.n; i++)
    {
      if (i > 0)
        g_assert_cmpuint (table.rows[i] >> 32, >, table.rows[i - 1] >> 32);
      if (i % step == 0)
        compare_row (cfi, elf, &table, i, &n_known);
    }
  g_test_message ("%s: %" G_GSIZE_FORMAT " rows, %u compared", path, table.n, n_known);
  g_assert_cmpuint (n_known, >=, n_least);
  dwarf_cfi_end (cfi);
  elf_end (elf);
  tb_agent_unwind_table_clear (&table);
  close (file);
}

static int
take_library (struct dl_phdr_info *info, size_t size, void *data)
{
  const char **found = data;

  if (g_str_has_prefix (strrchr (info->dlpi_name, '/') != NULL ? strrchr (info->dlpi_name, '/') + 1
                                                               : "",
                        found[0]))
    found[1] = info->dlpi_name;
  return 0;
}

static void
test_library (gconstpointer data)
{
  const char *found[2] = { data, NULL };

  dl_iterate_phdr (take_library, found);
  g_assert_nonnull (found[1]);
  compare_file (found[1], 100, STEP);
}

static void
test_own (void)
{
  compare_file ("/proc/self/exe", 50, 1);
}

/* --- single instructions --- */

typedef struct
{
  guint64 addresses[8];
  guint32 rules[8];
  guint n;
} Parts;

static void
take_part (guint64 address, guint32 rule, void *data)
{
  Parts *parts = data;

  if (parts->n < G_N_ELEMENTS (parts->rules))
    {
      parts->addresses[parts->n] = address;
      parts->rules[parts->n] = rule;
    }
  parts->n++;
}

/* The caller's stack pointer is 8 above, the return address there. */
static Parts
interpret (const guint8 *code, gsize size, gboolean is_signal)
{
  static const guint8 start[] = { 0x0c, 7, 8, 0x80 | 16, 1 };
  TbAgentUnwindCommon common = {
    .code_factor = 1,
    .data_factor = -8,
    .is_signal = (guint8) is_signal,
    .instructions = { start, start + sizeof start, 0 },
  };
  Parts parts = { .n = 0 };

  tb_agent_unwind_interpret (&common, (TbAgentBytes) { code, code + size, 0 }, 0x1000, 0x1100,
                             take_part, &parts);
  return parts;
}

#define INTERPRET(...)                                                                             \
  interpret ((const guint8[]) { __VA_ARGS__ }, sizeof ((const guint8[]) { __VA_ARGS__ }), FALSE)
#define BY_SP(n, saved) TB_BPF_UNWIND_RULE (TB_BPF_UNWIND_BY_SP, n, saved)
#define BY_BP(n, saved) TB_BPF_UNWIND_RULE (TB_BPF_UNWIND_BY_BP, n, saved)

/* push %rbp; mov %rsp,%rbp; …; leave */
static void
test_frame (void)
{
  Parts parts = INTERPRET (0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x0a, 0x02, 0x20, 0x0c, 7, 8,
                           0xc6, 0x41, 0x0b);

  g_assert_cmpuint (parts.n, ==, 5);
  g_assert_cmphex (parts.rules[0], ==, BY_SP (1, 0));
  g_assert_cmphex (parts.rules[1], ==, BY_SP (2, 2));
  g_assert_cmphex (parts.rules[2], ==, BY_BP (2, 2));
  g_assert_cmphex (parts.addresses[3], ==, 0x1024);
  g_assert_cmphex (parts.rules[3], ==, BY_SP (1, 0));
  g_assert_cmphex (parts.rules[4], ==, BY_BP (2, 2));
}

static void
test_special (void)
{
  const guint8 nothing[] = { 0 };
  Parts parts = INTERPRET (0x07, 16);

  g_assert_cmphex (parts.rules[0], ==, TB_BPF_UNWIND_RULE (TB_BPF_UNWIND_END, 0, 0));
  parts = interpret (nothing, 1, TRUE);
  g_assert_cmphex (parts.rules[0], ==, TB_BPF_UNWIND_RULE (TB_BPF_UNWIND_SIGNAL, 0, 0));
  /* A jump table, and a function with an aligned stack */
  parts = INTERPRET (0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22);
  g_assert_cmphex (parts.rules[0], ==, TB_BPF_UNWIND_RULE (TB_BPF_UNWIND_BY_PLT, 11, 0));
  parts = INTERPRET (0x0f, 3, 0x76, 0x78, 0x06, 0x10, 6, 2, 0x76, 0);
  g_assert_cmphex (parts.rules[0], ==, TB_BPF_UNWIND_RULE (TB_BPF_UNWIND_BY_WORD, 1, 0));
}

/* What cannot be followed exactly is unknown, not a guess. */
static void
test_unknown (void)
{
  g_assert_cmphex (INTERPRET (0x0c, 10, 0).rules[0], ==, TB_BPF_UNWIND_UNKNOWN);
  g_assert_cmphex (INTERPRET (0x0e, 12).rules[0], ==, TB_BPF_UNWIND_UNKNOWN);
  g_assert_cmphex (INTERPRET (0x0e, 0x80, 0x80, 0x80, 0x80, 0x08).rules[0], ==,
                   TB_BPF_UNWIND_UNKNOWN);
  g_assert_cmphex (INTERPRET (0x90, 2).rules[0], ==, TB_BPF_UNWIND_UNKNOWN);
  g_assert_cmphex (INTERPRET (0x08, 16).rules[0], ==, TB_BPF_UNWIND_UNKNOWN);
  g_assert_cmphex (INTERPRET (0x09, 6, 3).rules[0], ==, TB_BPF_UNWIND_UNKNOWN);
  g_assert_cmphex (INTERPRET (0x0f, 2, 0x77, 8).rules[0], ==, TB_BPF_UNWIND_UNKNOWN);
  /* Nothing to restore, an instruction that does not exist, and one without its number */
  g_assert_cmphex (INTERPRET (0x0b).rules[0], ==, TB_BPF_UNWIND_UNKNOWN);
  g_assert_cmphex (INTERPRET (0x3f).rules[0], ==, TB_BPF_UNWIND_UNKNOWN);
  g_assert_cmphex (INTERPRET (0x0e, 0x80).rules[0], ==, TB_BPF_UNWIND_UNKNOWN);
  g_assert_cmphex (INTERPRET (0x0f, 0xff, 0xff, 0x03).rules[0], ==, TB_BPF_UNWIND_UNKNOWN);
}

/* --- hostile files --- */

/* A library with random bytes changed, or cut off. The rows are in order, or there are none. */
static void
test_hostile (void)
{
  g_autofree char *contents = NULL;
  int file = memfd_create ("hostile", MFD_CLOEXEC);
  gsize size;

  g_assert_true (g_file_get_contents ("/proc/self/exe", &contents, &size, NULL));
  for (guint round = 0; round < 200; round++)
    {
      g_autofree char *bytes = g_memdup2 (contents, size);
      gsize length = round % 4 == 3 ? (gsize) g_random_double_range (0, size) : size;
      TbAgentUnwindTable table;

      for (guint i = 0; i < 1u << round % 12; i++)
        bytes[g_test_rand_int_range (0, (gint32) (i % 8 == 0 ? 1024 : size))]
            = (char) g_test_rand_int ();
      g_assert_cmpint (ftruncate (file, 0), ==, 0);
      g_assert_cmpint (pwrite (file, bytes, length, 0), ==, length);
      tb_agent_unwind_table_read (&table, file, 10000);
      for (gsize i = 1; i < table.n; i++)
        g_assert_cmpuint (table.rows[i] >> 32, >, table.rows[i - 1] >> 32);
      tb_agent_unwind_table_clear (&table);
    }
  close (file);
}

/* A table for which there is no room is none. */
static void
test_room (void)
{
  int file = open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  TbAgentUnwindTable table;
  gsize n;

  g_assert_cmpint (tb_agent_unwind_table_read (&table, file, MAX_ROWS), ==, 0);
  n = table.n;
  tb_agent_unwind_table_clear (&table);
  g_assert_cmpint (tb_agent_unwind_table_read (&table, file, n), ==, 0);
  tb_agent_unwind_table_clear (&table);
  g_assert_cmpint (tb_agent_unwind_table_read (&table, file, n - 1), ==, -1);
  tb_agent_unwind_table_clear (&table);
  close (file);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#if defined __x86_64__
  g_test_add_data_func ("/agent/unwind-table/libc", "libc.so", test_library);
  g_test_add_data_func ("/agent/unwind-table/dynamic-linker", "ld-linux", test_library);
  g_test_add_func ("/agent/unwind-table/own", test_own);
  g_test_add_func ("/agent/unwind-table/hostile", test_hostile);
  g_test_add_func ("/agent/unwind-table/room", test_room);
#endif
  g_test_add_func ("/agent/unwind-table/frame", test_frame);
  g_test_add_func ("/agent/unwind-table/special", test_special);
  g_test_add_func ("/agent/unwind-table/unknown", test_unknown);
  return g_test_run ();
}
