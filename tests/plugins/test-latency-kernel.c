/* test-latency-kernel.c: test of finding call sites in kernel functions from the code in memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib.h>

#include "capture/tb-capture-format.h"
#include "tb-latency-code.h"

#define BASE G_GUINT64_CONSTANT (0xffffffff81000000)

static void
add (TbLatencyImage *image, const char *name, guint64 offset, const guint8 *code, gsize length)
{
  tb_latency_image_add_function (image, name, BASE + offset, length, code, length);
}

static const TbLatencySite *
get_site (const TbLatencyCode *code, guint i)
{
  return &g_array_index (code->sites, TbLatencySite, i);
}

static TbLatencyImage *
make_image (const guint8 *code, gsize length)
{
  static const guint8 nothing[16] = { 0xcc };
  TbLatencyImage *image = tb_latency_image_new_kernel ();

  /* Not in the order of their addresses. */
  add (image, "__x86_return_thunk", 0x3000, nothing, sizeof nothing);
  add (image, "f0", 0x1000, code, length);
  add (image, "__x86_indirect_thunk_rax", 0x2000, nothing, sizeof nothing);
  add (image, "callee", 0x4000, nothing, sizeof nothing);
  return image;
}

#if defined __x86_64__
static void
test_sites (void)
{
  static const guint8 code[] = {
    0xe8, 0xfb, 0x3f, 0x00, 0x00, /* 1000: call 5000, inserted by a tracer */
    0x53,                         /* 1005: push %rbx */
    0xe8, 0xf5, 0x2f, 0x00, 0x00, /* 1006: call callee */
    0x48, 0x89, 0xc3,             /* 100b: mov %rax,%rbx */
    0xe8, 0xed, 0x0f, 0x00, 0x00, /* 100e: call __x86_indirect_thunk_rax */
    0xff, 0xd2,                   /* 1013: call *%rdx */
    0x5b,                         /* 1015: pop %rbx */
    0xe9, 0xe5, 0x1f, 0x00, 0x00, /* 1016: jmp __x86_return_thunk */
    0xe8, 0xe0, 0x2f, 0x00, 0x00, /* 101b: call callee, which does not return */
    0x0f, 0x0b,                   /* 1020: ud2 */
  };
  g_autoptr (TbLatencyImage) image = make_image (code, sizeof code);
  g_autoptr (GError) error = NULL;
  const TbLatencySymbol *symbol = tb_latency_image_find (image, "f0", &error);
  g_autoptr (TbLatencyCode) found = NULL;

  g_assert_no_error (error);
  g_assert_cmphex (symbol->address, ==, BASE + 0x1000);
  found = tb_latency_code_new (image, symbol);
  g_assert_true (found->is_known);
  g_assert_cmpuint (found->sites->len, ==, 4);
  g_assert_cmphex (get_site (found, 0)->address, ==, BASE + 0x1006);
  g_assert_cmphex (get_site (found, 0)->target, ==, BASE + 0x4000);
  /* Every probe costs the same in the kernel, so the end is right after the call. */
  g_assert_cmphex (get_site (found, 0)->end, ==, BASE + 0x100b);
  g_assert_cmphex (get_site (found, 1)->target, ==, 0);
  g_assert_cmphex (get_site (found, 1)->operand, ==,
                   TB_CAPTURE_OPERAND (TB_CAPTURE_OPERAND_REGISTER, 3, 0, 0, 0,
                                       TB_CAPTURE_REGISTER_NONE));
  g_assert_cmphex (get_site (found, 2)->operand, ==,
                   TB_CAPTURE_OPERAND (TB_CAPTURE_OPERAND_REGISTER, 3, 0, 0, 1,
                                       TB_CAPTURE_REGISTER_NONE));
  g_assert_cmphex (get_site (found, 3)->end, ==, 0);
  for (guint i = 0; i < 4; i++)
    g_assert_false (get_site (found, i)->is_tail);
  g_assert_cmpuint (found->ends->len, ==, 1);
  g_assert_cmphex (g_array_index (found->ends, guint64, 0), ==, BASE + 0x1016);
  for (guint i = 0; i < found->points->len; i++)
    g_assert_true (g_array_index (found->points, TbLatencyPoint, i).is_cheap);
}

static void
test_tail_calls (void)
{
  static const guint8 code[] = {
    0x0f, 0x1f, 0x44, 0x00, 0x00, /* 1000: nop, room for a tracer's call */
    0x85, 0xff,                   /* 1005: test %edi,%edi */
    0x74, 0x05,                   /* 1007: je 100e */
    0xe9, 0xf2, 0x2f, 0x00, 0x00, /* 1009: jmp callee */
    0xe9, 0xed, 0x0f, 0x00, 0x00, /* 100e: jmp __x86_indirect_thunk_rax */
  };
  g_autoptr (TbLatencyImage) image = make_image (code, sizeof code);
  g_autoptr (TbLatencyCode) found
      = tb_latency_code_new (image, tb_latency_image_find (image, "f0", NULL));

  g_assert_cmpuint (found->sites->len, ==, 2);
  g_assert_true (get_site (found, 0)->is_tail && get_site (found, 1)->is_tail);
  g_assert_cmphex (get_site (found, 0)->target, ==, BASE + 0x4000);
  g_assert_cmphex (get_site (found, 1)->target, ==, 0);
  g_assert_cmphex (get_site (found, 1)->operand, !=, 0);
  g_assert_cmpuint (found->n_blocks, ==, 2);
  g_assert_cmpuint (found->ends->len, ==, 0);
}

/* A loop with the stack pointer above that of the entry. */
static void
test_above_entry (void)
{
  static const guint8 code[] = {
    0x48, 0x83, 0xc4, 0x02, /* 1000: add $2,%rsp */
    0xeb, 0xfe,             /* 1004: jmp 1004 */
  };
  g_autoptr (TbLatencyImage) image = make_image (code, sizeof code);
  g_autoptr (TbLatencyCode) found
      = tb_latency_code_new (image, tb_latency_image_find (image, "f0", NULL));

  g_assert_true (found->is_known);
  g_assert_cmpuint (found->sites->len, ==, 0);
}
#endif

static void
test_lookup (void)
{
  static const guint8 code[8] = { 0x90 };
  g_autoptr (TbLatencyImage) image = make_image (code, sizeof code);
  g_autoptr (GError) error = NULL;
  const TbLatencySymbol *first = tb_latency_image_find_at (image, BASE + 0x1007);
  gsize length;
  guint64 offset;

  g_assert_cmpstr (first->name, ==, "f0");
  g_assert_null (tb_latency_image_find_at (image, BASE + 0x1008));
  g_assert_null (tb_latency_image_find_at (image, BASE));
  g_assert_null (tb_latency_image_find (image, "no_such_function", &error));
  g_assert_nonnull (error);
  g_assert_nonnull (tb_latency_image_get_code (image, BASE + 0x1002, &length));
  g_assert_cmpuint (length, ==, 6);
  g_assert_null (tb_latency_image_get_code (image, BASE + 0x5000, &length));
  g_assert_true (tb_latency_image_get_offset (image, BASE + 0x1002, &offset));
  g_assert_cmphex (offset, ==, BASE + 0x1002);
  /* Symbols stay at their memory address when more are added. */
  for (guint i = 0; i < 1000; i++)
    add (image, "more", 0x10000 + 64 * (1000 - i), code, sizeof code);
  g_assert_true (tb_latency_image_find_at (image, BASE + 0x1000) == first);
  g_assert_cmpstr (tb_latency_image_get_name (image), ==, "kernel");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#if defined __x86_64__
  g_test_add_func ("/latency-kernel/sites", test_sites);
  g_test_add_func ("/latency-kernel/tail-calls", test_tail_calls);
  g_test_add_func ("/latency-kernel/above-entry", test_above_entry);
#endif
  g_test_add_func ("/latency-kernel/lookup", test_lookup);
  return g_test_run ();
}
