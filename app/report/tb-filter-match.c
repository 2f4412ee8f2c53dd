/* tb-filter-match.c: what a filter leaves
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "report/tb-filter-private.h"

#define SHORT 256

/**
 * tb_filter_fold:
 * @text: (nullable): a text, which may be anything
 *
 * Returns: (transfer full): it as texts are compared: valid UTF-8, upper and lower case the same
 */
char *
tb_filter_fold (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  return g_utf8_casefold (valid, -1);
}

/**
 * tb_filter_lower_ascii:
 * @text: a text
 * @length: of it, bytes
 * @to: (out caller-allocates): room for one byte more than that
 *
 * Folds as [func@filter_fold] does, but without memory of its own, which it can where all is ASCII.
 *
 * Returns: whether all is; else @to is good for nothing
 */
gboolean
tb_filter_lower_ascii (const char *text, gsize length, char *to)
{
  guchar all = 0;

  for (gsize i = 0; i < length; i++)
    {
      guchar c = (guchar) text[i];

      all |= c;
      to[i] = (char) (c | ((guchar) (c - 'A') < 26 ? 0x20 : 0));
    }
  to[length] = '\0';
  return (all & 0x80) == 0;
}

/**
 * tb_filter_contains:
 * @text: (nullable): a text, which may be anything
 * @folded: what is sought, from tb_filter_fold()
 *
 * Returns: whether @folded occurs in @text, upper and lower case the same
 */
gboolean
tb_filter_contains (const char *text, const char *folded)
{
  g_autofree char *copy = NULL;
  char small[SHORT];
  gsize length;

  g_return_val_if_fail (folded != NULL, FALSE);

  if (text == NULL)
    text = "";
  length = strlen (text);
  /* Names are many and nearly all in ASCII and short: those are compared without memory of their own. */
  if (length < SHORT && tb_filter_lower_ascii (text, length, small))
    return strstr (small, folded) != NULL;
  copy = tb_filter_fold (text);
  return strstr (copy, folded) != NULL;
}

/* Without values everything will do. */
static gboolean
any_in (char **values, const char *text)
{
  for (guint i = 0; values[i] != NULL; i++)
    if (tb_filter_contains (text, values[i]))
      return TRUE;
  return values[0] == NULL;
}

/**
 * tb_filter_is_empty:
 * @self: a filter
 *
 * Returns: whether it limits nothing
 */
gboolean
tb_filter_is_empty (const TbFilter *self)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return self->words[0] == NULL && self->processes[0] == NULL && self->threads[0] == NULL
         && self->functions[0] == NULL && self->modules[0] == NULL && self->states == 0 && self->longer < 0;
}

/**
 * tb_filter_get_words:
 * @self: a filter
 *
 * Returns: (transfer none) (array zero-terminated=1): its plain words, folded
 */
const char *const *
tb_filter_get_words (const TbFilter *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return (const char *const *) self->words;
}

/**
 * tb_filter_limits_threads:
 * @self: a filter
 *
 * Returns: whether it names processes or threads by key; plain words are not counted, for they may mean anything
 */
gboolean
tb_filter_limits_threads (const TbFilter *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->processes[0] != NULL || self->threads[0] != NULL;
}

/**
 * tb_filter_limits_functions:
 * @self: a filter
 *
 * Returns: whether it names functions or their files by key
 */
gboolean
tb_filter_limits_functions (const TbFilter *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->functions[0] != NULL || self->modules[0] != NULL;
}

/**
 * tb_filter_get_states:
 * @self: a filter
 *
 * Returns: the states it limits intervals to, bits 1 << #TbPaint; 0 where it does not
 */
guint32
tb_filter_get_states (const TbFilter *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->states;
}

/**
 * tb_filter_get_longer:
 * @self: a filter
 *
 * Returns: how long intervals are at least, ns; -1 where that is not asked
 */
gint64
tb_filter_get_longer (const TbFilter *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->longer;
}

/**
 * tb_filter_match_thread:
 * @self: a filter
 * @process: (nullable): the process of a thread: its name, with its number where that is to be found too
 * @thread: (nullable): the thread's name, likewise
 *
 * Returns: whether the plain words, `process:` and `thread:` leave the thread; a word may be in either name
 */
gboolean
tb_filter_match_thread (const TbFilter *self, const char *process, const char *thread)
{
  const char *const texts[] = { process, thread };

  g_return_val_if_fail (self != NULL, TRUE);

  return any_in (self->processes, process) && any_in (self->threads, thread)
         && tb_filter_match_words (self, texts, G_N_ELEMENTS (texts));
}

/**
 * tb_filter_match_process:
 * @self: a filter
 * @process: (nullable): a process of which nothing else is known: its name, its number
 *
 * Returns: whether `process:` leaves it
 */
gboolean
tb_filter_match_process (const TbFilter *self, const char *process)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return any_in (self->processes, process);
}

/**
 * tb_filter_match_thread_name:
 * @self: a filter
 * @thread: (nullable): the name of a thread, with its number where that is to be found too
 *
 * Returns: whether `thread:` leaves it
 */
gboolean
tb_filter_match_thread_name (const TbFilter *self, const char *thread)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return any_in (self->threads, thread);
}

/**
 * tb_filter_match_function:
 * @self: a filter
 * @function: (nullable): a function's name
 * @module: (nullable): the file it is from
 *
 * Returns: whether `function:` and `module:` leave it. Plain words are up to the figure
 */
gboolean
tb_filter_match_function (const TbFilter *self, const char *function, const char *module)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return any_in (self->functions, function) && any_in (self->modules, module);
}

/**
 * tb_filter_match_words:
 * @self: a filter
 * @texts: (array length=n_texts) (nullable): what is said of a thing; may hold %NULL
 * @n_texts: how many
 *
 * Returns: whether each plain word is in one of the texts
 */
gboolean
tb_filter_match_words (const TbFilter *self, const char *const *texts, guint n_texts)
{
  g_return_val_if_fail (self != NULL, TRUE);

  for (guint i = 0; self->words[i] != NULL; i++)
    {
      gboolean found = FALSE;

      for (guint k = 0; k < n_texts && !found; k++)
        found = tb_filter_contains (texts[k], self->words[i]);
      if (!found)
        return FALSE;
    }
  return TRUE;
}

/**
 * tb_filter_match_interval:
 * @self: a filter
 * @paint: how an interval looks, a #TbPaint
 * @length: how long it lasts, ns
 *
 * Returns: whether `state:` and `longer:` leave it
 */
gboolean
tb_filter_match_interval (const TbFilter *self, guint paint, gint64 length)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return (self->states == 0 || (paint < 32 && self->states & 1u << paint)) && length >= self->longer;
}
