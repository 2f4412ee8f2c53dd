/* tb-filter.c: what a user limits figures to, as it is typed
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "report/tb-filter-private.h"
#include "report/tb-report.h"
#include "report/timeline/tb-timeline-figure.h"

/* More is no filter that anybody typed. */
#define LONGEST_TEXT 4096
#define MOST_TERMS 64

/**
 * TbFilter:
 *
 * What a user limits all figures of a document to: a text such as `auth process:nginx longer:1ms`, read once and then asked by
 * each figure about what it shows. Immutable; may be asked from any thread.
 *
 * Terms are separated by spaces; a value with spaces stands in quotes: `process:"Web Content"`. Upper and lower case are the
 * same. All plain words must occur; of several values of one key one must:
 *
 * - a plain word: in what a figure calls its things: names of threads, of functions, texts of rows
 * - `process:`, `thread:`: in the name or number of the process, in that of the thread
 * - `function:`, `module:`: in the name of a function, in that of the file it is from
 * - `state:`: intervals in that state (running, runnable, waiting, disk, …; the start of a name will do)
 * - `longer:`: intervals that last at least so long: `longer:1ms`
 *
 * A key without a value limits nothing: it is being typed. A word with a colon that is no key in letters, such as `std::vector` or
 * `127.0.0.1:80`, and anything in quotes, is a plain word.
 */
G_DEFINE_BOXED_TYPE (TbFilter, tb_filter, tb_filter_ref, tb_filter_unref)
G_DEFINE_QUARK (tb-filter-error-quark, tb_filter_error)

typedef enum
{
  KEY_WORD,
  KEY_PROCESS,
  KEY_THREAD,
  KEY_FUNCTION,
  KEY_MODULE,
  KEY_STATE,
  KEY_LONGER,
  N_KEYS,
} Key;

static const char *const keys[N_KEYS]
    = { NULL, "process", "thread", "function", "module", "state", "longer" };

typedef struct
{
  GStrvBuilder *values[KEY_STATE]; /* of those that are texts */
  guint n_terms;
} Reading;

/**
 * tb_filter_ref:
 * @self: a filter
 *
 * Returns: (transfer full): @self
 */
TbFilter *
tb_filter_ref (TbFilter *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->references);
  return self;
}

/**
 * tb_filter_unref:
 * @self: (transfer full): a filter
 */
void
tb_filter_unref (TbFilter *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->text);
  g_strfreev (self->words);
  g_strfreev (self->processes);
  g_strfreev (self->threads);
  g_strfreev (self->functions);
  g_strfreev (self->modules);
  g_free (self);
}

/* A term up to the next space outside of quotes; quoted (out): where its first quote stands, or -1. Moves *cursor behind it. */
static char *
take_term (const char **cursor, gssize *quoted)
{
  GString *term = g_string_new (NULL);
  gboolean inside = FALSE;

  *quoted = -1;
  for (; **cursor != '\0' && (inside || !g_ascii_isspace (**cursor)); (*cursor)++)
    {
      if (**cursor != '"')
        {
          g_string_append_c (term, **cursor);
          continue;
        }
      if (*quoted < 0)
        *quoted = (gssize) term->len;
      inside = !inside;
    }
  return g_string_free (term, FALSE);
}

/* Which key a term has, KEY_WORD none, N_KEYS one that is unknown; value (out): what stands behind it. */
static Key
find_key (const char *term, gssize quoted, const char **value)
{
  const char *colon = strchr (term, ':');
  gsize length = colon != NULL ? (gsize) (colon - term) : 0;

  *value = term;
  if (length == 0 || (quoted >= 0 && (gsize) quoted <= length) || colon[1] == ':')
    return KEY_WORD;
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalpha (term[i]))
      return KEY_WORD;
  *value = colon + 1;
  for (Key key = KEY_PROCESS; key < N_KEYS; key++)
    if (strlen (keys[key]) == length && g_ascii_strncasecmp (term, keys[key], length) == 0)
      return key;
  return N_KEYS;
}

static guint32
states_named (const char *folded)
{
  guint32 states = 0;

  for (guint paint = TB_PAINT_NONE + 1; paint < TB_N_PAINTS; paint++)
    {
      g_autofree char *name = tb_filter_fold (tb_paint_get_name (paint));
      g_autofree char *label = tb_filter_fold (tb_paint_get_label (paint));

      /* Its very name is not also the start of another's label. */
      if (g_str_equal (name, folded))
        return 1u << paint;
      if (g_str_has_prefix (name, folded) || g_str_has_prefix (label, folded))
        states |= 1u << paint;
    }
  return states;
}

static gboolean
read_state (TbFilter *self, const char *value, GError **error)
{
  g_autofree char *folded = tb_filter_fold (value);
  guint32 states = states_named (folded);
  g_autoptr (GString) names = NULL;

  self->states |= states;
  if (states != 0)
    return TRUE;
  names = g_string_new (NULL);
  for (guint paint = TB_PAINT_NONE + 1; paint < TB_N_PAINTS; paint++)
    g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", tb_paint_get_name (paint));
  g_set_error (error, TB_FILTER_ERROR, TB_FILTER_ERROR_STATE,
               /* Translators: “state:” is not translated; then a list of names that are not either. */
               _ ("There is no state “%s”. After “state:” stands one of %s."), value, names->str);
  return FALSE;
}

static gboolean
read_longer (TbFilter *self, const char *value, GError **error)
{
  gint64 ns;

  if (tb_read_duration (value, &ns) == TB_DURATION_READ)
    {
      /* Both must hold. */
      self->longer = MAX (self->longer, ns);
      return TRUE;
    }
  g_set_error (
      error, TB_FILTER_ERROR, TB_FILTER_ERROR_DURATION,
      /* Translators: “longer:” is not translated. */
      _ ("“%s” is no length of time. After “longer:” stands a number with ns, us, ms, s, min or h, such "
         "as “longer:1.5ms”."),
      value);
  return FALSE;
}

static gboolean
read_term (TbFilter *self, Reading *reading, const char *term, gssize quoted, GError **error)
{
  const char *value;
  Key key = find_key (term, quoted, &value);

  if (key == N_KEYS)
    {
      g_set_error (error, TB_FILTER_ERROR, TB_FILTER_ERROR_KEY,
                   /* Translators: the words before the colons are not translated. */
                   _ ("“%.*s:” means nothing here. There are “process:”, “thread:”, “function:”, “module:”, "
                      "“state:” and “longer:”; a text with a colon stands in quotes."),
                   (int) (value - 1 - term), term);
      return FALSE;
    }
  if (value[0] == '\0')
    return TRUE;
  if (++reading->n_terms > MOST_TERMS)
    {
      g_set_error (error, TB_FILTER_ERROR, TB_FILTER_ERROR_LENGTH,
                   _ ("A filter has at most %u terms; remove some."), MOST_TERMS);
      return FALSE;
    }
  if (key == KEY_STATE)
    return read_state (self, value, error);
  if (key == KEY_LONGER)
    return read_longer (self, value, error);
  g_strv_builder_take (reading->values[key], tb_filter_fold (value));
  return TRUE;
}

/**
 * tb_filter_parse:
 * @text: (nullable): as it was typed, whatever it is
 * @error: return location, for one sentence that says what is wrong and what is possible
 *
 * Returns: (transfer full): the filter, or %NULL with an error of %TB_FILTER_ERROR
 */
TbFilter *
tb_filter_parse (const char *text, GError **error)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  g_autoptr (TbFilter) self = g_new0 (TbFilter, 1);
  char ***lists[] = { &self->words, &self->processes, &self->threads, &self->functions, &self->modules };
  Reading reading = { 0 };
  gboolean good = TRUE;

  g_atomic_ref_count_init (&self->references);
  self->longer = -1;
  if (strlen (valid) > LONGEST_TEXT)
    {
      g_set_error (error, TB_FILTER_ERROR, TB_FILTER_ERROR_LENGTH,
                   _ ("A filter has at most %u characters; shorten it."), LONGEST_TEXT);
      return NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    reading.values[i] = g_strv_builder_new ();
  for (const char *cursor = valid; good && *cursor != '\0';)
    {
      g_autofree char *term = NULL;
      gssize quoted;

      if (g_ascii_isspace (*cursor))
        {
          cursor++;
          continue;
        }
      term = take_term (&cursor, &quoted);
      good = read_term (self, &reading, term, quoted, error);
    }
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      *lists[i] = g_strv_builder_end (reading.values[i]);
      g_strv_builder_unref (reading.values[i]);
    }
  self->text = g_steal_pointer (&valid);
  return good ? g_steal_pointer (&self) : NULL;
}

/**
 * tb_filter_get_text:
 * @self: a filter
 *
 * Returns: what it was read from, in valid UTF-8
 */
const char *
tb_filter_get_text (const TbFilter *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->text;
}

static gboolean
same (char **one, char **other)
{
  return g_strv_equal ((const char *const *) one, (const char *const *) other);
}

/**
 * tb_filter_equal:
 * @one: (nullable): a filter
 * @other: (nullable): another one
 *
 * Returns: whether both limit to the same, as far as that can be seen without data; no filter is the same as an empty one
 */
gboolean
tb_filter_equal (const TbFilter *one, const TbFilter *other)
{
  if (one == NULL || other == NULL)
    return (one == NULL || tb_filter_is_empty (one)) && (other == NULL || tb_filter_is_empty (other));
  return same (one->words, other->words) && same (one->processes, other->processes)
         && same (one->threads, other->threads) && same (one->functions, other->functions)
         && same (one->modules, other->modules) && one->states == other->states
         && one->longer == other->longer;
}
