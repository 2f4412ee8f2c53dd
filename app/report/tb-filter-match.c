/* tb-filter-match.c: matching of processes, threads, functions, words and intervals of figures
 * against a filter, without regard to case; search for text, and access to the terms
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "report/tb-filter-private.h"

#define SHORT_TEXT_MAX 256

/**
 * tb_filter_fold:
 * @text: (nullable): a text, not necessarily valid UTF-8
 *
 * Folds a text for comparisons that ignore case.
 *
 * Returns: (transfer full): the text in the form used for comparison: valid UTF-8, case-folded
 */
char *
tb_filter_fold (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  return g_utf8_casefold (valid, -1);
}

/**
 * tb_filter_fold_ascii:
 * @text: a text
 * @length: length of @text in bytes
 * @to: (out caller-allocates): buffer of @length + 1 bytes
 *
 * Folds like [func@Filter.fold] but without an allocation. This works for ASCII only.
 *
 * Returns: whether @text is ASCII; if not, @to must not be used
 */
gboolean
tb_filter_fold_ascii (const char *text, gsize length, char *to)
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
 * @text: (nullable): a text, not necessarily valid UTF-8
 * @folded: text to search for, from tb_filter_fold()
 *
 * Searches in a text, ignoring case.
 *
 * Returns: whether @folded occurs in @text, ignoring case
 */
gboolean
tb_filter_contains (const char *text, const char *folded)
{
  g_autofree char *copy = NULL;
  char small[SHORT_TEXT_MAX];
  gsize length;

  g_return_val_if_fail (folded != NULL, FALSE);

  if (text == NULL)
    text = "";
  length = strlen (text);
  /* There are many names, and nearly all are short and ASCII: those are compared without an
   * allocation. */
  if (length < SHORT_TEXT_MAX && tb_filter_fold_ascii (text, length, small))
    return strstr (small, folded) != NULL;
  copy = tb_filter_fold (text);
  return strstr (copy, folded) != NULL;
}

/* An empty list matches every text. */
static gboolean
contains_any (char **values, const char *text)
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
 * Gets whether the filter matches everything.
 *
 * Returns: whether the filter matches everything
 */
gboolean
tb_filter_is_empty (const TbFilter *self)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return self->words[0] == NULL && self->processes[0] == NULL && self->threads[0] == NULL
         && self->functions[0] == NULL && self->modules[0] == NULL && self->states == 0
         && self->min_length < 0;
}

/**
 * tb_filter_get_words:
 * @self: a filter
 *
 * Gets the words without a key. They can match any text of an item.
 *
 * Returns: (transfer none) (array zero-terminated=1): the plain words, folded
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
 * Gets whether the filter matches some threads only.
 *
 * Returns: whether it has a key for processes or threads. Plain words do not count: they can match
 *   anything
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
 * Gets whether the filter matches some functions only.
 *
 * Returns: whether it has a key for functions or modules
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
 * Gets the values of the key `state:`.
 *
 * Returns: the states of intervals that match, bits 1 << #TbPaint; 0: any state
 */
guint32
tb_filter_get_states (const TbFilter *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->states;
}

/**
 * tb_filter_get_min_length:
 * @self: a filter
 *
 * Gets the value of the key `longer:`.
 *
 * Returns: the minimum length of intervals, ns; −1: any length
 */
gint64
tb_filter_get_min_length (const TbFilter *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->min_length;
}

/**
 * tb_filter_match_thread:
 * @self: a filter
 * @process: (nullable): name of the thread's process, with its PID if that is to be searched too
 * @thread: (nullable): name of the thread, with its TID if that is to be searched too
 *
 * Matches a thread.
 *
 * Returns: whether the thread matches the plain words, `process:` and `thread:`; a word can be in
 *   either name
 */
gboolean
tb_filter_match_thread (const TbFilter *self, const char *process, const char *thread)
{
  const char *const texts[] = { process, thread };

  g_return_val_if_fail (self != NULL, TRUE);

  return contains_any (self->processes, process) && contains_any (self->threads, thread)
         && tb_filter_match_words (self, texts, G_N_ELEMENTS (texts));
}

/**
 * tb_filter_match_process:
 * @self: a filter
 * @process: (nullable): name and PID of a process of which nothing else is known
 *
 * Matches a process.
 *
 * Returns: whether the process matches `process:`
 */
gboolean
tb_filter_match_process (const TbFilter *self, const char *process)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return contains_any (self->processes, process);
}

/**
 * tb_filter_match_thread_name:
 * @self: a filter
 * @thread: (nullable): name of a thread, with its TID if that is to be searched too
 *
 * Matches a thread of which the process is not known.
 *
 * Returns: whether the thread matches `thread:`
 */
gboolean
tb_filter_match_thread_name (const TbFilter *self, const char *thread)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return contains_any (self->threads, thread);
}

/**
 * tb_filter_match_function:
 * @self: a filter
 * @function: (nullable): name of a function
 * @module: (nullable): file that contains the function
 *
 * Matches a function.
 *
 * Returns: whether the function matches `function:` and `module:`. Each figure matches the plain
 *   words itself
 */
gboolean
tb_filter_match_function (const TbFilter *self, const char *function, const char *module)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return contains_any (self->functions, function) && contains_any (self->modules, module);
}

/**
 * tb_filter_match_words:
 * @self: a filter
 * @texts: (array length=n_texts) (nullable): texts that describe an item; elements can be %NULL
 * @n_texts: number of texts
 *
 * Matches the plain words.
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
 * @paint: state of an interval, a #TbPaint
 * @length: length of the interval, ns
 *
 * Matches an interval.
 *
 * Returns: whether the interval matches `state:` and `longer:`
 */
gboolean
tb_filter_match_interval (const TbFilter *self, guint paint, gint64 length)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return (self->states == 0 || (paint < 32 && self->states & 1u << paint))
         && length >= self->min_length;
}
