/* tb-option-list.c: list of names, such as C++ functions, in one text: split at commas outside of
 * brackets, and joined with special characters escaped
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "extend/options/tb-option.h"

/* Roles of a byte in a list. */
enum
{
  PLAIN,
  ESCAPE,    /* a backslash that is not itself escaped: the next character is literal */
  OPEN,      /* an opening bracket that is never closed */
  SEPARATOR, /* a comma outside of brackets */
};

static const char opening[] = "(<[", closing[] = ")>]";

#define N_BRACKETS (sizeof opening - 1)

typedef struct
{
  const char *text;
  guint8 *roles; /* by byte */
  /* by byte: position of the closing bracket; 0 for any other byte or an unclosed bracket */
  gsize *ends;
  GArray *open; /* gsize: positions of brackets that are still open */
  guint n_open[N_BRACKETS];
} Scan;

static gboolean
is_special (char character)
{
  return character != '\0' && strchr (",\\()<>[]", character) != NULL;
}

/* Length of a C++ operator name that contains brackets or a comma, such as "operator()"; 0 if there
 * is none. */
static gsize
get_operator_length (const char *text, gsize at)
{
  static const char *const symbols[] = { "()", "[]", "<=>", "<<=", ">>=", "->*", "->", "<<",
                                         ">>", "<=", ">=",  "<",   ">",   ",(",  ",<", ", <" };
  static const char word[] = "operator";

  if (strncmp (text + at, word, strlen (word)) != 0
      || (at > 0 && (g_ascii_isalnum (text[at - 1]) || text[at - 1] == '_')))
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (symbols); i++)
    if (g_str_has_prefix (text + at + strlen (word), symbols[i]))
      return strlen (word) + (*symbols[i] == ',' ? 1 : strlen (symbols[i]));
  return 0;
}

/* Unclosed brackets inside the closed pair are treated as plain text. */
static void
close_bracket (Scan *self, guint kind, gsize at)
{
  while (self->n_open[kind] > 0)
    {
      gsize last = g_array_index (self->open, gsize, self->open->len - 1);
      guint of = (guint) (strchr (opening, self->text[last]) - opening);

      g_array_set_size (self->open, self->open->len - 1);
      self->n_open[of]--;
      if (of != kind)
        continue;
      self->roles[last] = PLAIN;
      self->ends[last] = at;
      return;
    }
}

static void
find_brackets (Scan *self)
{
  for (gsize i = 0; self->text[i] != '\0'; i++)
    {
      const char *open = strchr (opening, self->text[i]), *close = strchr (closing, self->text[i]);
      gsize symbol = get_operator_length (self->text, i);

      if (symbol > 0)
        i += symbol - 1;
      else if (self->text[i] == '\\' && is_special (self->text[i + 1]))
        self->roles[i++] = ESCAPE;
      else if (open != NULL)
        {
          g_array_append_val (self->open, i);
          self->n_open[open - opening]++;
          self->roles[i] = OPEN;
        }
      /* The ">" of an arrow "->" closes nothing. */
      else if (close != NULL && !(*close == '>' && i > 0 && self->text[i - 1] == '-'))
        close_bracket (self, (guint) (close - closing), i);
    }
}

static void
find_separators (Scan *self)
{
  for (gsize i = 0; self->text[i] != '\0'; i++)
    {
      gsize symbol = get_operator_length (self->text, i);

      if (symbol > 0)
        i += symbol - 1;
      else if (self->roles[i] == ESCAPE)
        i++;
      else if (self->ends[i] > 0)
        i = self->ends[i];
      else if (self->text[i] == ',')
        self->roles[i] = SEPARATOR;
    }
}

/* The role of each byte; free with g_free(). */
static guint8 *
scan (const char *text)
{
  gsize length = strlen (text);
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autofree gsize *ends = g_new0 (gsize, length + 1);
  Scan self = { .text = text, .roles = g_new0 (guint8, length + 1), .ends = ends, .open = open };

  find_brackets (&self);
  find_separators (&self);
  return self.roles;
}

/**
 * tb_option_split_list:
 * @text: a list
 *
 * Splits at commas outside of brackets. The brackets are (), <> and [], as in `f(int, long)` and
 * `map<int, long>`, if they are closed. Arrows and the names of C++ operators are not brackets. A
 * backslash before a comma, a bracket or a backslash is removed and makes that character literal.
 *
 * Returns: (transfer full) (array zero-terminated=1): the elements; none for the empty text
 */
char **
tb_option_split_list (const char *text)
{
  g_autofree guint8 *roles = NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GString) element = g_string_new (NULL);
  gsize i;

  g_return_val_if_fail (text != NULL, NULL);

  roles = scan (text);
  for (i = 0; text[i] != '\0'; i++)
    if (roles[i] == SEPARATOR)
      {
        g_strv_builder_add (builder, element->str);
        g_string_truncate (element, 0);
      }
    else if (roles[i] != ESCAPE)
      g_string_append_c (element, text[i]);
  if (i > 0)
    g_strv_builder_add (builder, element->str);
  return g_strv_builder_end (builder);
}

/* all: escapes every special character, also one that needs no escape. */
static char *
join (const char *const *elements, gboolean all)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; elements[i] != NULL; i++)
    {
      g_autofree guint8 *roles = scan (elements[i]);

      if (i > 0)
        g_string_append_c (text, ',');
      for (gsize j = 0; elements[i][j] != '\0'; j++)
        {
          if (roles[j] != PLAIN || (all && is_special (elements[i][j])))
            g_string_append_c (text, '\\');
          g_string_append_c (text, elements[i][j]);
        }
    }
  return g_string_free (text, FALSE);
}

/**
 * tb_option_join_list:
 * @elements: (array zero-terminated=1): a list
 *
 * Joins a list into a text.
 *
 * Returns: (transfer full): a text that [func@option_split_list] splits into the same elements
 */
char *
tb_option_join_list (const char *const *elements)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) again = NULL;

  g_return_val_if_fail (elements != NULL, NULL);

  text = join (elements, FALSE);
  again = tb_option_split_list (text);
  return g_strv_equal ((const char *const *) again, elements) ? g_steal_pointer (&text)
                                                              : join (elements, TRUE);
}
