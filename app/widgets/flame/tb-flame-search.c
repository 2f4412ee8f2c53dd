/* tb-flame-search.c: search in a flame figure: nodes that match a text or a filter, and their
 * total; index of the distinct names, with which texts are found faster in large figures
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "report/tb-filter.h"
#include "widgets/flame/tb-flame-private.h"

/* Nodes between two checks whether the index is still needed. */
#define STOP_EVERY 4096

/* Each distinct name of a figure, folded, one after the other. A search passes over them once. */
struct _TbFlameIndex
{
  TbFlameFigure *figure;
  GString *pool;  /* each text ends with a 0 */
  GArray *starts; /* gsize */
  guint *name;    /* by node: index of its name */
  guint *detail;
  guint *parent; /* by node; a copy, because nodes themselves are large */
};

static void
append_folded (GString *pool, const char *text)
{
  gsize start = pool->len, length = strlen (text);

  g_string_set_size (pool, start + length);
  if (!tb_filter_fold_ascii (text, length, &pool->str[start]))
    {
      g_autofree char *folded = tb_filter_fold (text);

      g_string_truncate (pool, start);
      g_string_append (pool, folded);
    }
  g_string_append_c (pool, '\0');
}

static guint *
list_parents (TbFlameFigure *figure)
{
  guint n;
  const TbFlameNode *nodes = tb_flame_figure_get_nodes (figure, &n);
  guint *parents = g_new (guint, (gsize) n + 1);

  for (guint i = 0; i < n; i++)
    parents[i] = nodes[i].parent;
  return parents;
}

/* The number of each text, by its address: a figure stores equal names once. */
typedef struct
{
  const char **texts;
  guint *numbers;
  gsize n_slots;
} Numbers;

static void
numbers_init (Numbers *self, guint n)
{
  self->n_slots = 64;
  while (self->n_slots < (gsize) n * 4)
    self->n_slots *= 2;
  self->texts = g_new0 (const char *, self->n_slots);
  self->numbers = g_new (guint, self->n_slots);
}

static void
numbers_clear (Numbers *self)
{
  g_free (self->texts);
  g_free (self->numbers);
}

static guint
get_text_number (TbFlameIndex *self, Numbers *numbers, const char *text)
{
  gsize at = (gsize) ((guint64) (gsize) text * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 20);
  gsize start = self->pool->len;

  for (at &= numbers->n_slots - 1; numbers->texts[at] != NULL;
       at = (at + 1) & (numbers->n_slots - 1))
    if (numbers->texts[at] == text)
      return numbers->numbers[at];
  numbers->texts[at] = text;
  numbers->numbers[at] = self->starts->len;
  g_array_append_val (self->starts, start);
  append_folded (self->pool, text);
  return self->starts->len - 1;
}

/* stop: (nullable): set to abort, which returns NULL */
TbFlameIndex *
tb_flame_index_new (TbFlameFigure *figure, const gint *stop)
{
  guint n;
  const TbFlameNode *nodes = tb_flame_figure_get_nodes (figure, &n);
  TbFlameIndex *self = g_new0 (TbFlameIndex, 1);
  Numbers numbers;

  self->figure = g_object_ref (figure);
  self->pool = g_string_sized_new ((gsize) n * 16 + 1);
  self->starts = g_array_new (FALSE, FALSE, sizeof (gsize));
  self->name = g_new (guint, (gsize) n + 1);
  self->detail = g_new (guint, (gsize) n + 1);
  self->parent = list_parents (figure);
  /* A node has a name and a detail. */
  numbers_init (&numbers, n);
  for (guint i = 0; i < n; i++)
    {
      if (i % STOP_EVERY == 0 && stop != NULL && g_atomic_int_get (stop))
        {
          g_clear_pointer (&self, tb_flame_index_free);
          break;
        }
      self->name[i] = get_text_number (self, &numbers, nodes[i].name);
      self->detail[i] = *nodes[i].detail != '\0' ? get_text_number (self, &numbers, nodes[i].detail)
                                                 : TB_ID_NONE;
    }
  numbers_clear (&numbers);
  return self;
}

void
tb_flame_index_free (TbFlameIndex *self)
{
  g_object_unref (self->figure);
  g_string_free (self->pool, TRUE);
  g_array_unref (self->starts);
  g_free (self->name);
  g_free (self->detail);
  g_free (self->parent);
  g_free (self);
}

/* Finds the names that contain a text. Positions are in the order of names. */
static guint8 *
find_names (const TbFlameIndex *self, const char *folded)
{
  const char *end = &self->pool->str[self->pool->len], *at = self->pool->str;
  gsize length = strlen (folded);
  guint8 *found = g_new0 (guint8, self->starts->len + 1);
  guint name = 0;

  while (length > 0 && (at = memmem (at, (gsize) (end - at), folded, length)) != NULL)
    {
      while (name + 1 < self->starts->len
             && &self->pool->str[g_array_index (self->starts, gsize, name + 1)] <= at)
        name++;
      found[name] = TRUE;
      /* One occurrence in a name is enough. */
      at += strlen (at) + 1;
    }
  return found;
}

/* A parent has a smaller index than its children. */
static void
sum_up (TbFlameFigure *figure, const guint *parents, TbFlameMatch *self)
{
  guint n;
  const TbFlameNode *nodes = tb_flame_figure_get_nodes (figure, &n);
  g_autofree guint8 *inside = g_new0 (guint8, MAX (1, n));

  for (guint node = 0; node < n; node++)
    {
      guint parent = parents[node];

      inside[node] = parent != TB_ID_NONE && (inside[parent] || self->matched[parent]);
      if (!self->matched[node])
        continue;
      self->n++;
      if (!inside[node])
        self->total += nodes[node].total;
    }
  for (guint node = n; node-- > 0;)
    if (self->matched[node] != 0 && parents[node] != TB_ID_NONE)
      self->matched[parents[node]] |= 2;
}

TbFlameMatch *
tb_flame_index_match (const TbFlameIndex *self, const char *search)
{
  guint n = tb_flame_figure_get_n_nodes (self->figure);
  TbFlameMatch *match = g_new0 (TbFlameMatch, 1);
  g_autofree char *folded = tb_filter_fold (search);
  g_autofree guint8 *found = find_names (self, folded);

  match->matched = g_new0 (guint8, MAX (1, n));
  for (guint node = 0; node < n; node++)
    match->matched[node] = found[self->name[node]]
                           || (self->detail[node] != TB_ID_NONE && found[self->detail[node]]);
  sum_up (self->figure, self->parent, match);
  return match;
}

/* Searches without an index. Making one takes longer than a search, and would delay the result. */
TbFlameMatch *
tb_flame_match (TbFlameFigure *figure, const char *search)
{
  guint n;
  const TbFlameNode *nodes = tb_flame_figure_get_nodes (figure, &n);
  TbFlameMatch *match = g_new0 (TbFlameMatch, 1);
  g_autofree char *folded = tb_filter_fold (search);
  g_autofree guint *parents = list_parents (figure);

  match->matched = g_new0 (guint8, MAX (1, n));
  for (guint i = 0; i < n && *folded != '\0'; i++)
    match->matched[i]
        = tb_filter_contains (nodes[i].name, folded)
          || (*nodes[i].detail != '\0' && tb_filter_contains (nodes[i].detail, folded));
  sum_up (figure, parents, match);
  return match;
}

/* Whether the process that a node belongs to matches. TRUE where it belongs to none. */
static guint8
match_process (TbFlameFigure *figure,
               const TbFlameNode *node,
               const guint8 *processes,
               TbFilter *filter)
{
  if (node->paint == TB_FLAME_PROCESS)
    return tb_filter_match_process (filter, node->name);
  return node->parent == TB_ID_NONE || processes[node->parent];
}

/* Terms that a box has no information about, such as the states of its thread, are ignored. */
TbFlameMatch *
tb_flame_match_filter (TbFlameFigure *figure, TbFilter *filter)
{
  guint n = tb_flame_figure_get_n_nodes (figure);
  TbFlameMatch *self = g_new0 (TbFlameMatch, 1);
  g_autofree guint8 *processes = g_new0 (guint8, n + 1);
  g_autofree guint *parents = list_parents (figure);
  gboolean functions = tb_filter_limits_functions (filter);
  gboolean words = tb_filter_get_words (filter)[0] != NULL;

  self->matched = g_new0 (guint8, MAX (1, n));
  for (guint i = 0; i < n; i++)
    {
      const TbFlameNode *node = tb_flame_figure_get_node (figure, i);
      const char *const texts[] = { node->name, node->detail, node->module };

      processes[i] = match_process (figure, node, processes, filter);
      self->matched[i] = processes[i] && (!words || tb_filter_match_words (filter, texts, 3))
                         && (!functions
                             || (node->paint != TB_FLAME_PROCESS
                                 && tb_filter_match_function (filter, node->name, node->module)));
    }
  sum_up (figure, parents, self);
  return self;
}

void
tb_flame_match_free (TbFlameMatch *self)
{
  g_free (self->matched);
  g_free (self);
}
