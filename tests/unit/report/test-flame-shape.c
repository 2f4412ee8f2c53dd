/* test-flame-shape.c: test of inverted, folded and otherwise reshaped flames against plain
 * transformations
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "../../test-mode.h"
#include "report/flame/tb-flame-shape.h"
#include "session/schema/tb-schema.h"

#define N_FUNCTIONS 6

static char *
make_name (guint function)
{
  return g_strdup_printf ("f%u", function);
}

static char *
make_module (guint function)
{
  return g_strdup_printf ("m%u", function % 3);
}

static TbFlameFigure *
random_flame (guint n)
{
  TbFlameFigure *figure = tb_flame_figure_new ("flame", "Flame", "ns");
  guint last = TB_ID_NONE;

  for (guint i = 0; i < n; i++)
    {
      guint function = (guint) g_test_rand_int_range (0, N_FUNCTIONS);
      g_autofree char *name = make_name (function);
      g_autofree char *module = make_module (function);
      guint known = tb_flame_figure_get_n_nodes (figure);
      guint parent = known == 0 || g_test_rand_int_range (0, 8) == 0 ? TB_ID_NONE
                     : g_test_rand_bit ()                            ? last
                                          : (guint) g_test_rand_int_range (0, (gint32) known);
      guint64 own = g_test_rand_bit () ? (guint64) g_test_rand_int_range (0, 50) : 0;

      last = tb_flame_figure_add_node (figure, parent, name, module, TB_FLAME_USER, own, 1);
      if (g_test_rand_bit ())
        tb_flame_figure_add_base (figure, last, (guint64) g_test_rand_int_range (0, 50));
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

/* Own weight by the path of names, "f1;f2;". */
typedef struct
{
  GHashTable *own; /* char * → guint64 * */
  GHashTable *base;
} Paths;

static void
add_to (GHashTable *table, const char *path, guint64 weight)
{
  guint64 *sum = g_hash_table_lookup (table, path);

  if (weight == 0)
    return;
  if (sum == NULL)
    g_hash_table_insert (table, g_strdup (path), g_memdup2 (&weight, sizeof weight));
  else
    *sum += weight;
}

static Paths
paths_new (void)
{
  return (Paths) { g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free),
                   g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free) };
}

static void
paths_clear (Paths *paths)
{
  g_hash_table_unref (paths->own);
  g_hash_table_unref (paths->base);
}

static void
assert_same_table (GHashTable *found, GHashTable *expected)
{
  GHashTableIter iter;
  gpointer key, value;

  g_assert_cmpuint (g_hash_table_size (found), ==, g_hash_table_size (expected));
  g_hash_table_iter_init (&iter, expected);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      guint64 *other = g_hash_table_lookup (found, key);

      g_assert_nonnull (other);
      g_assert_cmpuint (*other, ==, *(guint64 *) value);
    }
}

/* The names from a root to a node. */
static GPtrArray *
list_path (TbFlameFigure *figure, guint node)
{
  GPtrArray *names_path = g_ptr_array_new ();

  for (; node != TB_ID_NONE; node = tb_flame_figure_get_node (figure, node)->parent)
    g_ptr_array_insert (names_path, 0, (gpointer) tb_flame_figure_get_node (figure, node)->name);
  return names_path;
}

static char *
join (GPtrArray *names_path)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < names_path->len; i++)
    g_string_append_printf (text, "%s;", (const char *) g_ptr_array_index (names_path, i));
  return g_string_free (text, FALSE);
}

static Paths
read_paths (TbFlameFigure *figure)
{
  Paths paths = paths_new ();

  for (guint i = 0; i < tb_flame_figure_get_n_nodes (figure); i++)
    {
      const TbFlameNode *node = tb_flame_figure_get_node (figure, i);
      g_autoptr (GPtrArray) names_path = list_path (figure, i);
      g_autofree char *path = join (names_path);

      add_to (paths.own, path, node->own);
      add_to (paths.base, path, node->base_own);
    }
  return paths;
}

static gboolean
is_of (const char *name, const char *const *modules)
{
  g_autofree char *module = make_module ((guint) g_ascii_strtoull (name + 1, NULL, 10));

  return modules != NULL && g_strv_contains (modules, module);
}

/* Applies the shape to a path; NULL: the shape hides it. */
static GPtrArray *
shape_path (GPtrArray *names_path, const TbFlameShape *shape)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  GPtrArray *result;
  guint first = 0;

  for (guint i = 0; i < names_path->len; i++)
    {
      const char *name = g_ptr_array_index (names_path, i);
      guint same;

      if (is_of (name, shape->hidden))
        continue;
      if (shape->collapse_recursion
          && g_ptr_array_find_with_equal_func (kept, name, g_str_equal, &same))
        g_ptr_array_set_size (kept, (int) same + 1);
      else
        g_ptr_array_add (kept, (gpointer) name);
    }
  if (kept->len == 0)
    g_ptr_array_add (kept, (gpointer) "(hidden)");
  if (shape->function != NULL
      && !g_ptr_array_find_with_equal_func (kept, shape->function, g_str_equal, &first))
    return NULL;
  result = g_ptr_array_new ();
  if (shape->inverted)
    for (guint i = shape->function != NULL ? first + 1 : kept->len; i-- > 0;)
      g_ptr_array_add (result, g_ptr_array_index (kept, i));
  else
    for (guint i = first; i < kept->len; i++)
      g_ptr_array_add (result, g_ptr_array_index (kept, i));
  return result;
}

static Paths
expect_paths (TbFlameFigure *figure, const TbFlameShape *shape)
{
  Paths paths = paths_new ();

  for (guint i = 0; i < tb_flame_figure_get_n_nodes (figure); i++)
    {
      const TbFlameNode *node = tb_flame_figure_get_node (figure, i);
      g_autoptr (GPtrArray) names_path = list_path (figure, i);
      g_autoptr (GPtrArray) shaped = shape_path (names_path, shape);
      g_autofree char *path = NULL;

      if (shaped == NULL)
        continue;
      path = join (shaped);
      add_to (paths.own, path, shape->swapped ? node->base_own : node->own);
      add_to (paths.base, path, shape->swapped ? node->own : node->base_own);
    }
  return paths;
}

static void
check_shape (TbFlameFigure *figure, const TbFlameShape *shape)
{
  g_autoptr (TbFlameReshapeResult) reshaped = tb_flame_figure_reshape (figure, shape, NULL, NULL);
  Paths expected = expect_paths (figure, shape), found;

  g_assert_nonnull (reshaped);
  found = read_paths (reshaped->figure);
  assert_same_table (found.own, expected.own);
  assert_same_table (found.base, expected.base);
  if (shape->function == NULL && !shape->swapped)
    g_assert_cmpuint (tb_flame_figure_get_total (reshaped->figure), ==,
                      tb_flame_figure_get_total (figure));
  /* Each node has an origin with the same name, and the origin's place is that node or one merged
   * with it. */
  for (guint i = 0; i < tb_flame_figure_get_n_nodes (reshaped->figure); i++)
    if (reshaped->origin[i] != TB_ID_NONE)
      {
        const char *name = tb_flame_figure_get_node (figure, reshaped->origin[i])->name;
        guint place = reshaped->place[reshaped->origin[i]];

        g_assert_cmpstr (tb_flame_figure_get_node (reshaped->figure, i)->name, ==, name);
        if (place != TB_ID_NONE)
          g_assert_cmpstr (tb_flame_figure_get_node (reshaped->figure, place)->name, ==, name);
      }
  paths_clear (&expected);
  paths_clear (&found);
}

static void
test_random (void)
{
  const char *const hidden[] = { "m1", NULL };

  for (guint round = test_first (5); round < 150; round += test_step (5))
    {
      g_autoptr (TbFlameFigure) figure = random_flame (round);

      for (guint bits = 0; bits < 64; bits++)
        {
          TbFlameShape shape = {
            .inverted = bits & 1,
            .collapse_recursion = (bits & 2) != 0,
            .hidden = bits & 4 ? hidden : NULL,
            .function = bits & 8 ? "f2" : NULL,
            .by_name = (bits & 16) != 0,
            .swapped = (bits & 32) != 0,
          };

          check_shape (figure, &shape);
        }
    }
}

static void
test_order (void)
{
  g_autoptr (TbFlameFigure) figure = random_flame (300);
  const TbFlameShape shape = { .by_name = TRUE };
  g_autoptr (TbFlameReshapeResult) reshaped = tb_flame_figure_reshape (figure, &shape, NULL, NULL);

  for (guint i = 0; i < tb_flame_figure_get_n_nodes (reshaped->figure); i++)
    {
      const TbFlameNode *node = tb_flame_figure_get_node (reshaped->figure, i);

      if (node->next_sibling != TB_ID_NONE)
        g_assert_cmpstr (node->name, <=,
                         tb_flame_figure_get_node (reshaped->figure, node->next_sibling)->name);
    }
}

/* Boxes over time become merged nodes. */
static void
test_chronological (void)
{
  g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("c", "C", "ns");
  const TbFlameShape shape = { .inverted = FALSE };
  g_autoptr (TbFlameReshapeResult) reshaped = NULL;
  const TbFlameNode *root;

  tb_flame_figure_set_chronological (figure, 0, 100);
  for (guint i = 0; i < 5; i++)
    {
      guint box = tb_flame_figure_add_box (figure, TB_ID_NONE, "f", "m", TB_FLAME_USER, i * 20,
                                           i * 20 + 10, 4);

      tb_flame_figure_add_box (figure, box, "g", "m", TB_FLAME_WAITING, i * 20 + 2, i * 20 + 8, 6);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  reshaped = tb_flame_figure_reshape (figure, &shape, NULL, NULL);
  g_assert_cmpuint (tb_flame_figure_get_n_nodes (reshaped->figure), ==, 2);
  g_assert_false (tb_flame_figure_get_chronological (reshaped->figure, NULL, NULL));
  root = tb_flame_figure_get_node (reshaped->figure,
                                   tb_flame_figure_get_first_root (reshaped->figure));
  g_assert_cmpuint (root->total, ==, 50);
  g_assert_cmpuint (root->own, ==, 20);
  g_assert_cmpuint (root->count, ==, 5);
  for (guint i = 0; i < 10; i++)
    g_assert_cmpuint (reshaped->place[i], ==, i % 2);
}

static void
test_cancelled (void)
{
  g_autoptr (TbFlameFigure) figure = random_flame (50);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const TbFlameShape shape = { .inverted = TRUE };
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (tb_flame_figure_reshape (figure, &shape, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Deep and wide stacks: the callers with the least weight are collected in one node, and no weight
 * is lost. */
static void
test_bounded (void)
{
  g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("deep", "Deep", "ns");
  const TbFlameShape shape = { .inverted = TRUE };
  g_autoptr (TbFlameReshapeResult) reshaped = NULL;
  gboolean gathered = FALSE;
  guint parent = TB_ID_NONE;

  for (guint depth = 0; depth < 400; depth++)
    {
      g_autofree char *name = g_strdup_printf ("f%u", depth % 7);

      parent = tb_flame_figure_add_node (figure, parent, name, "", TB_FLAME_USER, 1, 1);
      for (guint i = 0; i < 80; i++)
        {
          g_autofree char *leaf = g_strdup_printf ("leaf%u", i);

          tb_flame_figure_add_node (figure, parent, leaf, "", TB_FLAME_USER, i == 0 ? 1000000 : 1,
                                    1);
        }
    }
  tb_figure_freeze (TB_FIGURE (figure));
  reshaped = tb_flame_figure_reshape (figure, &shape, NULL, NULL);
  g_assert_cmpuint (tb_flame_figure_get_total (reshaped->figure), ==,
                    tb_flame_figure_get_total (figure));
  g_assert_cmpuint (tb_flame_figure_get_n_nodes (reshaped->figure), <, 400000);
  for (guint i = 0; i < tb_flame_figure_get_n_nodes (reshaped->figure); i++)
    gathered |= reshaped->origin[i] == TB_ID_NONE;
  g_assert_true (gathered);
}

static void
test_difference (void)
{
  g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("d", "D", "ns");
  const TbFlameShape shape = { .swapped = TRUE };
  g_autoptr (TbFlameReshapeResult) swapped = NULL;
  guint same, more, less, gone, fresh;

  same = tb_flame_figure_add_node (figure, TB_ID_NONE, "same", "", TB_FLAME_USER, 40, 1);
  more = tb_flame_figure_add_node (figure, TB_ID_NONE, "more", "", TB_FLAME_USER, 40, 1);
  less = tb_flame_figure_add_node (figure, TB_ID_NONE, "less", "", TB_FLAME_USER, 10, 1);
  gone = tb_flame_figure_add_node (figure, TB_ID_NONE, "gone", "", TB_FLAME_USER, 0, 1);
  fresh = tb_flame_figure_add_node (figure, TB_ID_NONE, "fresh", "", TB_FLAME_USER, 10, 1);
  tb_flame_figure_add_base (figure, same, 80);
  tb_flame_figure_add_base (figure, more, 40);
  tb_flame_figure_add_base (figure, less, 40);
  tb_flame_figure_add_base (figure, gone, 40);
  tb_figure_freeze (TB_FIGURE (figure));
  g_assert_cmpfloat_with_epsilon (tb_flame_figure_get_difference (figure, same), 0, 1e-9);
  g_assert_cmpfloat_with_epsilon (tb_flame_figure_get_difference (figure, more), .5, 1e-9);
  g_assert_cmpfloat_with_epsilon (tb_flame_figure_get_difference (figure, less), -.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (tb_flame_figure_get_difference (figure, gone), -1, 1e-9);
  g_assert_cmpfloat_with_epsilon (tb_flame_figure_get_difference (figure, fresh), 1, 1e-9);
  /* A decrease stays a decrease, whichever recording is drawn. */
  swapped = tb_flame_figure_reshape (figure, &shape, NULL, NULL);
  g_assert_cmpuint (tb_flame_figure_get_total (swapped->figure), ==, 200);
  g_assert_cmpfloat_with_epsilon (tb_flame_figure_get_difference (swapped->figure,
                                                                  swapped->place[less]),
                                  -.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (tb_flame_figure_get_difference (swapped->figure,
                                                                  swapped->place[gone]),
                                  -1, 1e-9);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/flame-shape/random", test_random);
  g_test_add_func ("/report/flame-shape/order", test_order);
  g_test_add_func ("/report/flame-shape/chronological", test_chronological);
  g_test_add_func ("/report/flame-shape/cancelled", test_cancelled);
  g_test_add_func ("/report/flame-shape/bounded", test_bounded);
  g_test_add_func ("/report/flame-shape/difference", test_difference);
  return g_test_run ();
}
