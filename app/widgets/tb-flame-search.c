/* tb-flame-search.c: finds nodes of a flame figure by name
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "widgets/tb-flame-private.h"

/* Names are ASCII but for a few, and there may be a million: those are looked through as they are.
 * Returns -1 where that does not tell. */
static int
contains_ascii (const char *name, const char *folded_search)
{
  for (const char *at = name; *at != '\0'; at++)
    {
      gsize i = 0;

      if ((guchar) *at >= 0x80)
        return -1;
      while (folded_search[i] != '\0' && g_ascii_tolower (at[i]) == folded_search[i])
        i++;
      if (folded_search[i] == '\0')
        return TRUE;
    }
  return folded_search[0] == '\0';
}

static gboolean
contains (GHashTable *known, const char *name, const char *folded_search)
{
  int ascii = contains_ascii (name, folded_search);
  gpointer value;
  gboolean found;

  if (ascii >= 0)
    return ascii;
  /* A function is called from many places: its name is looked at once. */
  if (g_hash_table_lookup_extended (known, name, NULL, &value))
    return GPOINTER_TO_INT (value);
  {
    g_autofree char *valid = g_utf8_make_valid (name, -1);
    g_autofree char *folded = g_utf8_casefold (valid, -1);

    found = strstr (folded, folded_search) != NULL;
  }
  g_hash_table_insert (known, (gpointer) name, GINT_TO_POINTER (found));
  return found;
}

TbFlameMatch *
tb_flame_match (TbFlameFigure *figure, const char *search)
{
  guint n = tb_flame_figure_get_n_nodes (figure);
  TbFlameMatch *self = g_new0 (TbFlameMatch, 1);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *folded = g_utf8_casefold (search, -1);
  g_autofree guint8 *inside = g_new0 (guint8, MAX (1, n));

  self->matched = g_new0 (guint8, MAX (1, n));
  for (guint node = 0; node < n; node++)
    {
      const TbFlameNode *info = tb_flame_figure_get_node (figure, node);

      inside[node] = info->parent != TB_ID_NONE && (inside[info->parent] || self->matched[info->parent] & 1);
      if (!contains (known, info->name, folded) && !(*info->detail && contains (known, info->detail, folded)))
        continue;
      self->matched[node] = 1;
      self->n++;
      if (!inside[node])
        self->total += info->total;
    }
  /* A parent has a smaller index than its children. */
  for (guint node = n; node-- > 0;)
    {
      const TbFlameNode *info = tb_flame_figure_get_node (figure, node);

      if (self->matched[node] != 0 && info->parent != TB_ID_NONE)
        self->matched[info->parent] |= 2;
    }
  return self;
}

void
tb_flame_match_free (TbFlameMatch *self)
{
  g_free (self->matched);
  g_free (self);
}
