/* tb-paths-compare.c: comparison of where the time of a process went in two recordings, from their
 * reports: differing categories and contributors as findings, table, JSON; compared flame
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "extend/compare/tb-differences.h"
#include "report/flame/tb-flame-figure.h"
#include "tb-paths-compare.h"
#include "tb-paths-categories.h"

/* Usual difference between two recordings of the same work: a share of the value, and a minimum in
 * ns. */
#define NOISE_SHARE 0.02
#define MIN_NOISE 200000
#define MAX_FINDINGS 10

typedef enum
{
  BASE,
  OTHER,
  N_SIDES,
} Side;

typedef struct
{
  JsonObject *sides[N_SIDES];
  double scale;
  double unaccounted[N_SIDES]; /* unaccounted time, which may belong to any contributor */
  TbDifferences *differences;
} Comparison;

static double
get_number (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : 0;
}

static void
add (Comparison *self,
     const char *what,
     const char *label,
     const char *id,
     double base,
     double other)
{
  double noise, low, high;

  other *= self->scale;
  if (base == 0 && other == 0)
    return;
  noise = fmax (MIN_NOISE, NOISE_SHARE * fmax (base, other));
  low = other - base - self->unaccounted[BASE];
  high = other - base + self->unaccounted[OTHER];
  tb_differences_add (self->differences,
                      &(TbDifference) { (char *) what, label, (char *) id, base, other, low, high,
                                        low <= noise && high >= -noise });
}

static void
compare_categories (Comparison *self)
{
  JsonObject *of[N_SIDES];

  for (guint side = 0; side < N_SIDES; side++)
    of[side] = json_object_get_object_member (self->sides[side], "categories");
  for (guint i = 0; i < TB_PATHS_N_CATEGORIES; i++)
    add (self, "category_ns", tb_paths_category_get_label (i), tb_paths_category_get_id (i),
         get_number (of[BASE], tb_paths_category_get_id (i)),
         get_number (of[OTHER], tb_paths_category_get_id (i)));
}

/* --- contributors, by the names of their programs --- */

static const struct
{
  const char *what;
  const char *label;
} measures[] = {
  { "running_ns", NC_ ("quantity", "running") },
  { "io_ns", NC_ ("quantity", "input and output") },
  { "network_ns", NC_ ("quantity", "network") },
  { "waiting_ns", NC_ ("quantity", "waiting") },
};

typedef struct
{
  const char *name;
  double ns[G_N_ELEMENTS (measures)][N_SIDES];
} Contributor;

static void
gather_contributors (GHashTable *known, GPtrArray *all, JsonObject *summary, Side side)
{
  JsonArray *list = json_object_get_array_member (summary, "contributors");

  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *item = json_array_get_object_element (list, i);
      const char *name = json_object_get_string_member (item, "process");
      Contributor *contributor = g_hash_table_lookup (known, name);

      if (contributor == NULL)
        {
          contributor = g_new0 (Contributor, 1);
          contributor->name = name;
          g_hash_table_insert (known, (gpointer) name, contributor);
          g_ptr_array_add (all, contributor);
        }
      for (guint k = 0; k < G_N_ELEMENTS (measures); k++)
        contributor->ns[k][side] += get_number (item, measures[k].what);
    }
}

static void
compare_contributors (Comparison *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);

  for (guint side = 0; side < N_SIDES; side++)
    gather_contributors (known, all, self->sides[side], side);
  for (guint i = 0; i < all->len; i++)
    {
      const Contributor *contributor = g_ptr_array_index (all, i);

      for (guint k = 0; k < G_N_ELEMENTS (measures); k++)
        add (self, measures[k].what, g_dpgettext2 (GETTEXT_PACKAGE, "quantity", measures[k].label),
             contributor->name, contributor->ns[k][BASE], contributor->ns[k][OTHER]);
    }
}

/* --- report --- */

static JsonNode *
make_summary (const Comparison *self, TbReport *base, TbReport *other, const char *normalized_by)
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
  tb_differences_write (self->differences, builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static const char *
get_code (const TbDifference *difference)
{
  static const char *const codes[][2] = {
    { "wall_ns", "wall-time-change" },       { "category_ns", "category-change" },
    { "running_ns", "running-time-change" }, { "io_ns", "io-time-change" },
    { "network_ns", "network-time-change" }, { "waiting_ns", "wait-time-change" },
  };
  guint i = 0;

  while (!g_str_equal (codes[i][0], difference->what))
    i++;
  return codes[i][1];
}

/* Example: "cc1, running: 4.1 s more (9.2 s instead of 5.1 s)." */
static void
add_finding (TbReport *report, const TbDifference *difference, double wall)
{
  double delta = difference->other - difference->base;
  g_autofree char *before = tb_difference_format (difference, difference->base);
  g_autofree char *after = tb_difference_format (difference, difference->other);
  g_autofree char *size = tb_difference_format (difference, fabs (delta));
  g_autofree char *item = tb_difference_get_item (difference);
  gboolean is_category = g_str_equal (difference->what, "category_ns");
  g_autofree char *of_what = is_category
                                 ? g_strdup (difference->label)
                                 : g_strdup_printf ("%s, %s", difference->id, difference->label);
  g_autofree char *text = g_strdup_printf (delta > 0 ? _ ("%s: %s more (%s instead of %s).")
                                                     : _ ("%s: %s less (%s instead of %s)."),
                                           of_what, size, after, before);
  double share = wall > 0 ? fabs (delta) / wall : NAN;
  TbFinding *finding = tb_finding_new (share >= 0.1 ? TB_SEVERITY_MEDIUM : TB_SEVERITY_LOW, text,
                                       llrint (fabs (delta)), share > 1 ? 1 : share);

  tb_finding_set_code (finding, get_code (difference));
  tb_finding_set_string (finding, is_category ? "category" : "process", difference->id);
  tb_difference_set_values (difference, finding);
  tb_finding_set_place (finding, "differences", item);
  tb_report_add_finding (report, finding);
}

static void
add_no_difference (TbReport *report)
{
  TbFinding *finding
      = tb_finding_new (TB_SEVERITY_INFO,
                        _ ("No part of the time of the task differs by more than noise."), 0, 0);

  tb_finding_set_code (finding, "no-difference");
  tb_report_add_finding (report, finding);
}

static void
add_findings (TbReport *report, const Comparison *self)
{
  double wall = get_number (self->sides[BASE], "wall_ns");
  guint n_findings = 0;

  for (guint i = 0; i < tb_differences_get_n (self->differences) && n_findings < MAX_FINDINGS; i++)
    {
      const TbDifference *difference = tb_differences_get (self->differences, i);

      if (difference->within_noise)
        break;
      add_finding (report, difference, wall);
      n_findings++;
    }
  if (n_findings == 0)
    add_no_difference (report);
}

static void
add_flame (TbReport *report, TbReport *base, TbReport *other, double scale)
{
  TbFigure *of_base = tb_report_find_figure (base, "consolidated");
  TbFigure *of_other = tb_report_find_figure (other, "consolidated");

  if (TB_IS_FLAME_FIGURE (of_base) && TB_IS_FLAME_FIGURE (of_other))
    tb_report_add_figure (report,
                          TB_FIGURE (tb_flame_figure_new_compared (
                              "consolidated", _ ("By Duration, Compared"),
                              TB_FLAME_FIGURE (of_base), TB_FLAME_FIGURE (of_other), scale)));
}

void
tb_paths_compare (TbReport *report,
                  TbReport *base,
                  TbReport *other,
                  double scale,
                  const char *normalized_by)
{
  g_autoptr (TbDifferences) differences = tb_differences_new ();
  Comparison self = { .sides = { json_node_get_object (tb_report_get_summary (base)),
                                 json_node_get_object (tb_report_get_summary (other)) },
                      .scale = scale,
                      .differences = differences };

  for (guint side = 0; side < N_SIDES; side++)
    self.unaccounted[side]
        = get_number (json_object_get_object_member (self.sides[side], "categories"), "unaccounted")
          * (side == OTHER ? scale : 1);
  add (&self, "wall_ns", _ ("wall time"),
       json_object_get_string_member (self.sides[OTHER], "process"),
       get_number (self.sides[BASE], "wall_ns"), get_number (self.sides[OTHER], "wall_ns"));
  compare_categories (&self);
  compare_contributors (&self);
  tb_differences_sort (differences);
  tb_report_set_summary (report, make_summary (&self, base, other, normalized_by));
  add_findings (report, &self);
  tb_report_add_figure (report, tb_differences_make_table (differences));
  add_flame (report, base, other, scale);
}
