/* tb-locks-compare.c: comparison of waits for locks in two recordings, from their reports: findings
 * about locks with more or less waiting, table and JSON summary
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "extend/compare/tb-differences.h"
#include "tb-locks-compare.h"

#define NOISE_SHARE 0.05
#define NOISE_LEAST 200000
#define MAX_FINDINGS 10

typedef enum
{
  BASE,
  OTHER,
  N_SIDES,
} Side;

/* Locks with one name in processes with one name. */
typedef struct
{
  char *id;
  const char *process; /* NULL: shared */
  const char *lock;    /* its name, or else its use */
  double waits[N_SIDES];
  double ns[N_SIDES];
} Lock;

static void
lock_free (gpointer data)
{
  Lock *lock = data;

  g_free (lock->id);
  g_free (lock);
}

static const char *
get_text (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;
}

/* Addresses differ from run to run. A lock without a name is identified by its process and its
 * use. */
static const char *
get_name (JsonObject *lock_object)
{
  const char *name = get_text (lock_object, "name");

  return name != NULL && *name != '\0' ? name : get_text (lock_object, "use");
}

static char *
make_id (const char *process, const char *name)
{
  return g_strdup_printf ("%s/%s", process != NULL ? process : "shared",
                          name != NULL ? name : "unnamed");
}

static void
gather (GHashTable *known, GPtrArray *all, TbReport *report, Side side, double scale)
{
  JsonArray *list
      = json_object_get_array_member (json_node_get_object (tb_report_get_summary (report)),
                                      "locks");

  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *lock_object = json_array_get_object_element (list, i);
      const char *process = get_text (lock_object, "process"), *name = get_name (lock_object);
      g_autofree char *id = make_id (process, name);
      Lock *lock = g_hash_table_lookup (known, id);

      if (lock == NULL)
        {
          lock = g_new0 (Lock, 1);
          lock->id = g_steal_pointer (&id);
          lock->process = process;
          lock->lock = name;
          g_hash_table_insert (known, lock->id, lock);
          g_ptr_array_add (all, lock);
        }
      lock->waits[side] += scale * (double) json_object_get_int_member (lock_object, "waits");
      lock->ns[side] += scale * (double) json_object_get_int_member (lock_object, "wait_ns");
    }
}

static void
add_finding (TbReport *report, const TbDifference *difference, const Lock *lock)
{
  double delta = difference->other - difference->base;
  g_autofree char *before = tb_difference_format (difference, difference->base);
  g_autofree char *after = tb_difference_format (difference, difference->other);
  g_autofree char *size = tb_difference_format (difference, fabs (delta));
  g_autofree char *item = tb_difference_get_item (difference);
  g_autofree char *text
      = g_strdup_printf (delta > 0 ? _ ("Waits for %s took %s longer: %s instead of %s.")
                                   : _ ("Waits for %s took %s less: %s instead of %s."),
                         difference->id, size, after, before);
  TbFinding *finding = tb_finding_new (TB_SEVERITY_MEDIUM, text, llrint (fabs (delta)), NAN);

  tb_finding_set_code (finding, "lock-wait-change");
  tb_finding_set_string (finding, "process", lock->process);
  tb_finding_set_string (finding, "lock", lock->lock);
  tb_difference_set_values (difference, finding);
  tb_finding_set_place (finding, "differences", item);
  tb_report_add_finding (report, finding);
}

static void
add_no_difference (TbReport *report)
{
  TbFinding *finding
      = tb_finding_new (TB_SEVERITY_INFO, _ ("No lock differs by more than noise."), 0, 0);

  tb_finding_set_code (finding, "no-difference");
  tb_report_add_finding (report, finding);
}

static void
add_findings (TbReport *report, const TbDifferences *differences, GHashTable *known)
{
  guint n_reported = 0;

  for (guint i = 0; i < tb_differences_get_n (differences) && n_reported < MAX_FINDINGS; i++)
    {
      const TbDifference *difference = tb_differences_get (differences, i);

      if (difference->within_noise || !g_str_equal (difference->what, "wait_ns"))
        continue;
      add_finding (report, difference, g_hash_table_lookup (known, difference->id));
      n_reported++;
    }
  if (n_reported == 0)
    add_no_difference (report);
}

static JsonNode *
make_summary (TbReport *base,
              TbReport *other,
              const TbDifferences *differences,
              const char *normalized_by)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "base");
  json_builder_add_value (builder, json_node_copy (tb_report_get_summary (base)));
  json_builder_set_member_name (builder, "other");
  json_builder_add_value (builder, json_node_copy (tb_report_get_summary (other)));
  json_builder_set_member_name (builder, "normalized_by");
  if (*normalized_by != '\0')
    json_builder_add_string_value (builder, normalized_by);
  else
    json_builder_add_null_value (builder);
  tb_differences_write (differences, builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

void
tb_locks_compare (TbReport *report,
                  TbReport *base,
                  TbReport *other,
                  double scale,
                  const char *normalized_by)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (lock_free);
  g_autoptr (TbDifferences) differences = tb_differences_new ();

  gather (known, all, base, BASE, 1);
  gather (known, all, other, OTHER, scale);
  for (guint i = 0; i < all->len; i++)
    {
      const Lock *lock = g_ptr_array_index (all, i);
      double more = fabs (lock->ns[OTHER] - lock->ns[BASE]),
             waits = fabs (lock->waits[OTHER] - lock->waits[BASE]);

      tb_differences_add (
          differences,
          &(TbDifference) {
              (char *) "wait_ns", _ ("waited for"), lock->id, lock->ns[BASE], lock->ns[OTHER], NAN,
              NAN,
              more <= fmax (NOISE_LEAST, NOISE_SHARE * fmax (lock->ns[BASE], lock->ns[OTHER])) });
      tb_differences_add (
          differences,
          &(TbDifference) { (char *) "waits", C_ ("quantity", "waits"), lock->id, lock->waits[BASE],
                            lock->waits[OTHER], NAN, NAN,
                            waits <= NOISE_SHARE * fmax (lock->waits[BASE], lock->waits[OTHER]) });
    }
  tb_differences_sort (differences);
  tb_report_set_summary (report, make_summary (base, other, differences, normalized_by));
  add_findings (report, differences, known);
  tb_report_add_figure (report, tb_differences_make_table (differences));
}
