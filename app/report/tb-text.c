/* tb-text.c: layout of text in terminal columns: width, cutting, padding and wrapping, with harmful
 * characters replaced
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/tb-text-private.h"

#define REPLACEMENT 0xfffd

gboolean
tb_text_is_harmless (gunichar c)
{
  if (c < 0x20 || (c >= 0x7f && c < 0xa0))
    return FALSE;
  /* writing-direction marks and overrides, line and paragraph separators */
  return !(c >= 0x200e && c <= 0x200f) && !(c >= 0x2028 && c <= 0x202e)
         && !(c >= 0x2066 && c <= 0x2069);
}

/* Most text is plain. */
static gboolean
is_plain (gunichar c)
{
  return c >= 0x20 && c < 0x7f;
}

static guint
get_character_width (gunichar c)
{
  if (is_plain (c))
    return 1;
  if (g_unichar_iszerowidth (c))
    return 0;
  return g_unichar_iswide (c) ? 2 : 1;
}

/* The character at *cursor, or U+FFFD for a harmful or invalid one. Advances *cursor. */
static gunichar
next_character (const char **cursor)
{
  gunichar c = (guchar) * *cursor;

  if (is_plain (c))
    {
      (*cursor)++;
      return c;
    }
  c = g_utf8_get_char_validated (*cursor, -1);
  if (c == (gunichar) -1 || c == (gunichar) -2)
    {
      (*cursor)++;
      return REPLACEMENT;
    }
  *cursor = g_utf8_next_char (*cursor);
  return tb_text_is_harmless (c) ? c : REPLACEMENT;
}

guint
tb_text_get_width (const char *text)
{
  guint width = 0;

  while (*text)
    width += get_character_width (next_character (&text));
  return width;
}

guint
tb_text_append_cut (GString *out, const char *text, guint width)
{
  gboolean fits = tb_text_get_width (text) <= width;
  guint used = 0;

  if (width == 0)
    return 0;
  while (*text)
    {
      gunichar c = next_character (&text);
      guint columns = get_character_width (c);

      if (!fits && used + columns > width - 1)
        break;
      if (is_plain (c))
        g_string_append_c (out, (char) c);
      else
        g_string_append_unichar (out, c);
      used += columns;
    }
  if (!fits)
    {
      g_string_append (out, "…");
      used++;
    }
  return used;
}

void
tb_text_append_padded (GString *out, const char *text, guint width, gboolean right)
{
  guint columns = MIN (tb_text_get_width (text), width);

  if (right)
    g_string_append_printf (out, "%*s", (int) (width - columns), "");
  columns = tb_text_append_cut (out, text, width);
  if (!right)
    g_string_append_printf (out, "%*s", (int) (width - columns), "");
}

void
tb_text_append_repeated (GString *out, const char *text, guint times)
{
  for (guint i = 0; i < times; i++)
    g_string_append (out, text);
}

void
tb_text_append_wrapped (GString *out, const char *text, guint width, guint indent)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  guint used = 0;

  if (width == 0)
    width = G_MAXUINT;
  if (indent >= width)
    indent = 0;
  for (guint i = 0; words[i]; i++)
    {
      guint columns = tb_text_get_width (words[i]);

      if (i > 0 && used + 1 + columns > width)
        {
          g_string_append_printf (out, "\n%*s", (int) indent, "");
          used = indent;
        }
      else if (i > 0)
        {
          g_string_append_c (out, ' ');
          used++;
        }
      used += tb_text_append_cut (out, words[i], width - MIN (used, width - 1));
    }
  g_string_append_c (out, '\n');
}
