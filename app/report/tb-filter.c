/* tb-filter.c: filter of the items of figures, parsed from a text such as "auth process:nginx
 * longer:1ms", with a sentence for each mistake in it; comparison of two filters (matching:
 * tb-filter-match)
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/tb-duration.h"
#include "report/tb-filter-private.h"
#include "report/tb-paint.h"

/* A longer text was not typed by a user. */
#define TEXT_MAX 4096
#define TERMS_MAX 64

/**
 * TbFilter:
 *
 * A filter of all figures of a document, from a text such as `auth process:nginx longer:1ms`. The
 * text is parsed once, then each figure matches its items against the filter. A filter is immutable
 * and can be used from any thread.
 *
 * Terms are separated by spaces; a value with spaces is quoted: `process:"Web Content"`. Case is
 * ignored. All plain words must occur. If a key has several values, one of them must match:
 *
 * - a plain word: matches the names of items in a figure: threads, functions, texts of rows
 * - `process:`, `thread:`: matches the name or number of the process, of the thread
 * - `function:`, `module:`: matches the name of a function, of the file that contains it
 * - `state:`: intervals in that state (running, runnable, waiting, disk, …; a prefix is sufficient)
 * - `longer:`: intervals of at least that length: `longer:1ms`
 *
 * A key without a value matches everything, because it is still being typed. A term is a plain word
 * if it is quoted, or if it has a colon but the part before it cannot be a key, as in `std::vector`
 * or `127.0.0.1:80`.
 */
G_DEFINE_BOXED_TYPE (TbFilter, tb_filter, tb_filter_ref, tb_filter_unref)

/**
 * tb_filter_error_quark:
 *
 * Gets the error domain of filters.
 *
 * Returns: the domain
 */
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
  GStrvBuilder *values[KEY_STATE]; /* values of the keys that are texts */
  guint n_terms;
} Parser;

/**
 * tb_filter_ref:
 * @self: a filter
 *
 * Acquires a reference.
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
 *
 * Releases a reference. The last one frees the filter.
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

/* Takes a term, up to the next space outside quotes, and moves *cursor behind it. quoted (out):
 * offset of its first quote, or -1. */
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

/* The key of a term: KEY_WORD if it has none, N_KEYS if it is unknown. value (out): the text behind
 * the key. */
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
find_states (const char *folded)
{
  guint32 states = 0;

  for (guint paint = TB_PAINT_NONE + 1; paint < TB_N_PAINTS; paint++)
    {
      g_autofree char *name = tb_filter_fold (tb_paint_get_name (paint));
      g_autofree char *label = tb_filter_fold (tb_paint_get_label (paint));

      /* An exact name matches one state only, even if it is also the start of another label. */
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
  guint32 states = find_states (folded);
  g_autoptr (GString) names = NULL;

  self->states |= states;
  if (states != 0)
    return TRUE;
  names = g_string_new (NULL);
  for (guint paint = TB_PAINT_NONE + 1; paint < TB_N_PAINTS; paint++)
    g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", tb_paint_get_name (paint));
  g_set_error (error, TB_FILTER_ERROR, TB_FILTER_ERROR_STATE,
               /* Translators: “state:” is not translated; then a list of names that are not
                * translated either. */
               _ ("Unknown state “%s”. Use “state:” with one of %s."), value, names->str);
  return FALSE;
}

static gboolean
read_min_length (TbFilter *self, const char *value, GError **error)
{
  gint64 ns;

  if (tb_duration_parse (value, &ns) == TB_DURATION_OK)
    {
      /* All terms must hold, so the longest length counts. */
      self->min_length = MAX (self->min_length, ns);
      return TRUE;
    }
  g_set_error (error, TB_FILTER_ERROR, TB_FILTER_ERROR_DURATION,
               /* Translators: “longer:” is not translated. */
               _ ("Invalid duration “%s”. Use “longer:” with a number and ns, us, ms, s, min or h, "
                  "such as “longer:1.5ms”."),
               value);
  return FALSE;
}

static gboolean
read_term (TbFilter *self, Parser *parser, const char *term, gssize quoted, GError **error)
{
  const char *value;
  Key key = find_key (term, quoted, &value);

  if (key == N_KEYS)
    {
      g_set_error (error, TB_FILTER_ERROR, TB_FILTER_ERROR_KEY,
                   /* Translators: the words before the colons are not translated. */
                   _ ("Unknown filter “%.*s:”. Use “process:”, “thread:”, “function:”, “module:”, "
                      "“state:” or “longer:”; put a text with a colon in quotes."),
                   (int) (value - 1 - term), term);
      return FALSE;
    }
  if (value[0] == '\0')
    return TRUE;
  if (++parser->n_terms > TERMS_MAX)
    {
      g_set_error (error, TB_FILTER_ERROR, TB_FILTER_ERROR_LENGTH,
                   _ ("A filter has at most %u terms; remove some."), TERMS_MAX);
      return FALSE;
    }
  if (key == KEY_STATE)
    return read_state (self, value, error);
  if (key == KEY_LONGER)
    return read_min_length (self, value, error);
  g_strv_builder_take (parser->values[key], tb_filter_fold (value));
  return TRUE;
}

/**
 * tb_filter_parse:
 * @text: (nullable): text as typed by the user
 * @error: return location for an error with a sentence about what is wrong and what is possible
 *
 * Parses a filter: words, and `process:`, `thread:`, `function:`, `module:`, `state:` and `longer:`
 * with a value.
 *
 * Returns: (transfer full): the filter, or %NULL with an error of %TB_FILTER_ERROR
 */
TbFilter *
tb_filter_parse (const char *text, GError **error)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  g_autoptr (TbFilter) self = g_new0 (TbFilter, 1);
  char ***lists[]
      = { &self->words, &self->processes, &self->threads, &self->functions, &self->modules };
  Parser parser = { 0 };
  gboolean good = TRUE;

  g_atomic_ref_count_init (&self->references);
  self->min_length = -1;
  if (strlen (valid) > TEXT_MAX)
    {
      g_set_error (error, TB_FILTER_ERROR, TB_FILTER_ERROR_LENGTH,
                   _ ("A filter has at most %u characters; shorten it."), TEXT_MAX);
      return NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    parser.values[i] = g_strv_builder_new ();
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
      good = read_term (self, &parser, term, quoted, error);
    }
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      *lists[i] = g_strv_builder_end (parser.values[i]);
      g_strv_builder_unref (parser.values[i]);
    }
  self->text = g_steal_pointer (&valid);
  return good ? g_steal_pointer (&self) : NULL;
}

/**
 * tb_filter_get_text:
 * @self: a filter
 *
 * Gets the text that was parsed.
 *
 * Returns: the text that was parsed, as valid UTF-8
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
 * @other: (nullable): another filter
 *
 * Compares two filters.
 *
 * Returns: whether both filters are known to match the same items, without looking at data; no
 *   filter equals an empty one
 */
gboolean
tb_filter_equal (const TbFilter *one, const TbFilter *other)
{
  if (one == NULL || other == NULL)
    return (one == NULL || tb_filter_is_empty (one))
           && (other == NULL || tb_filter_is_empty (other));
  return same (one->words, other->words) && same (one->processes, other->processes)
         && same (one->threads, other->threads) && same (one->functions, other->functions)
         && same (one->modules, other->modules) && one->states == other->states
         && one->min_length == other->min_length;
}
