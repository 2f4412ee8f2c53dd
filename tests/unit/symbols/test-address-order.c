/* test-address-order.c: test of the order of addresses against a comparison sort
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "symbols/tb-address-order-private.h"

#define N 5000

static void
check (const guint64 *addresses, guint32 n)
{
  g_autofree guint32 *order = tb_address_order (addresses, n);
  g_autofree guint8 *seen = g_malloc0 (n + 1);

  for (guint32 i = 0; i < n; i++)
    {
      g_assert_cmpuint (order[i], <, n);
      g_assert_false (seen[order[i]]);
      seen[order[i]] = TRUE;
      if (i == 0)
        continue;
      g_assert_cmpuint (addresses[order[i - 1]], <=, addresses[order[i]]);
      if (addresses[order[i - 1]] == addresses[order[i]])
        g_assert_cmpuint (order[i - 1], <, order[i]);
    }
}

/* Addresses of programs, of the kernel, of both, and many equal ones. */
static void
test_order (void)
{
  static const struct
  {
    guint64 start;
    guint64 mask;
  } kinds[] = {
    { 0, 0xffffff }, { G_GUINT64_CONSTANT (0xffffffff81000000), 0xffffff }, { 0, G_MAXUINT64 },
    { 0x1000, 0x7 }, { 0, G_GUINT64_CONSTANT (0xff00000000000000) },
  };
  g_autofree guint64 *addresses = g_new (guint64, N);

  for (guint kind = 0; kind < G_N_ELEMENTS (kinds); kind++)
    for (guint32 n = 0; n <= N; n = n * 7 + 1)
      {
        for (guint32 i = 0; i < n; i++)
          addresses[i] = kinds[kind].start
                         + (((guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ())
                            & kinds[kind].mask);
        check (addresses, n);
      }
}

static void
test_ascending (void)
{
  guint64 addresses[] = { 1, 1, 2, G_MAXUINT64, G_MAXUINT64 };

  check (addresses, G_N_ELEMENTS (addresses));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/symbols/address-order/random", test_order);
  g_test_add_func ("/symbols/address-order/ascending", test_ascending);
  return g_test_run ();
}
