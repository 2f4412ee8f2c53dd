/* tb-wait-unmerged.c: threads that the user excludes from merging: the texts of that option, and
 * which of them names a merged vertex
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-unmerged.h"

#include <string.h>

#include "session/schema/tb-schema.h"
#include "tb-wait-shown-names.h"

void
tb_wait_unmerged_init (TbWaitUnmerged *self, const char *const *texts, guint32 n_threads)
{
  self->texts = texts;
  self->by_thread = g_new (guint32, (gsize) n_threads + 1);
  for (guint32 i = 0; i <= n_threads; i++)
    self->by_thread[i] = TB_ID_NONE;
}

void
tb_wait_unmerged_clear (TbWaitUnmerged *self)
{
  g_clear_pointer (&self->by_thread, g_free);
}

/* Whether a text is the name of a vertex as it is shown: "worker ×8" of worker-1 and others. */
static gboolean
is_shown_name (const char *text, const char *name)
{
  g_autofree char *common = tb_wait_strip_shown_name (text);

  return common != NULL && name != NULL
         && (g_str_equal (common, name)
             || (strlen (common) == tb_wait_get_stem_length (name)
                 && g_str_has_prefix (name, common)));
}

guint32
tb_wait_unmerged_find (const TbWaitUnmerged *self,
                       const char *kind,
                       guint32 first,
                       const char *name)
{
  g_autofree char *id = NULL;

  if (self->texts == NULL || self->texts[0] == NULL)
    return TB_ID_NONE;
  id = g_strdup_printf ("%s:%u", kind, first);
  for (guint32 i = 0; self->texts[i] != NULL; i++)
    if (g_str_equal (self->texts[i], id) || g_strcmp0 (self->texts[i], name) == 0
        || is_shown_name (self->texts[i], name))
      return i;
  return TB_ID_NONE;
}
