/* tb-valid-text-private.h: copies of texts that come from plug-ins and recordings, in which bytes
 * that are not UTF-8 are replaced
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (transfer full) (nullable): NULL for NULL */
static inline char *
tb_valid_text_dup (const char *text)
{
  if (text == NULL)
    return NULL;
  return g_utf8_validate (text, -1, NULL) ? g_strdup (text) : g_utf8_make_valid (text, -1);
}

/* The text itself if it is valid, else one that is kept in *copy. */
static inline const char *
tb_valid_text (const char *text, char **copy)
{
  if (text == NULL || g_utf8_validate (text, -1, NULL))
    return text;
  *copy = g_utf8_make_valid (text, -1);
  return *copy;
}

/* Like g_set_str(). */
static inline void
tb_valid_text_set (char **place, const char *text)
{
  g_free (*place);
  *place = tb_valid_text_dup (text);
}

G_END_DECLS
