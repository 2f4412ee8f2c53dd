/* tb-peaks-saved-site.c: call sites in a saved drill-down, each as file and offset, offset in a
 * page, or line: match of two, one of a recording and one of a live search; sentences about
 * uncertain matches
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text is untrusted.
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "tb-peaks-saved-site.h"
#include "tb-peaks-saved-json.h"

#define PAGE "page"
#define PAGE_MASK G_GUINT64_CONSTANT (0xfff)
#define LINE "line "
/* The kernel's address differs after each boot. */
#define KERNEL "[kernel]"
#define MAX_LENGTH 4096

typedef enum
{
  UNKNOWN,
  IN_FILE,
  IN_PAGE,
  IN_LINE,
} Kind;

typedef struct
{
  Kind kind;
  gsize file_length; /* length of the file name with which the text begins */
  guint64 number;    /* offset or line */
} Parsed;

static Parsed
parse (const char *text)
{
  const char *plus = text != NULL ? strrchr (text, '+') : NULL;
  Parsed parsed = { 0 };

  if (text == NULL || strlen (text) > MAX_LENGTH)
    return parsed;
  if (g_str_has_prefix (text, LINE)
      && g_ascii_string_to_unsigned (text + strlen (LINE), 10, 1, G_MAXUINT, &parsed.number, NULL))
    parsed.kind = IN_LINE;
  else if (plus != NULL && plus > text && g_str_has_prefix (plus, "+0x")
           && g_ascii_string_to_unsigned (plus + strlen ("+0x"), 16, 0, G_MAXUINT64, &parsed.number,
                                          NULL))
    {
      parsed.file_length = (gsize) (plus - text);
      /* A program may be named "page", but it has no code in its first page. */
      parsed.kind = parsed.file_length == strlen (PAGE) && g_str_has_prefix (text, PAGE)
                            && parsed.number <= PAGE_MASK
                        ? IN_PAGE
                        : IN_FILE;
    }
  return parsed;
}

static gboolean
is_known (const char *text)
{
  return text != NULL && *text != '\0';
}

static TbPeaksSiteMatch
match_files (const TbPeaksSavedSite *one,
             const Parsed *of_one,
             const TbPeaksSavedSite *other,
             const Parsed *of_other)
{
  gboolean is_built = is_known (one->build_id) && is_known (other->build_id);

  if (is_built && strcmp (one->build_id, other->build_id) != 0)
    return TB_PEAKS_SITE_UNCERTAIN;
  if (!is_built
      && (of_one->file_length != of_other->file_length
          || strncmp (one->text, other->text, of_one->file_length) != 0))
    return TB_PEAKS_SITE_DIFFERENT;
  if (of_one->number == of_other->number)
    return TB_PEAKS_SITE_SAME;
  return g_str_has_prefix (one->text, KERNEL) ? TB_PEAKS_SITE_UNCERTAIN : TB_PEAKS_SITE_DIFFERENT;
}

static guint64
get_page_offset (const Parsed *place)
{
  return (place->number + (place->kind == IN_FILE)) & PAGE_MASK;
}

TbPeaksSiteMatch
tb_peaks_saved_match_sites (const TbPeaksSavedSite *one, const TbPeaksSavedSite *other)
{
  Parsed of_one = parse (one->text), of_other = parse (other->text);

  if (of_one.kind == UNKNOWN || of_other.kind == UNKNOWN)
    return TB_PEAKS_SITE_UNCERTAIN;
  if (of_one.kind == IN_FILE && of_other.kind == IN_FILE)
    return match_files (one, &of_one, other, &of_other);
  if (of_one.kind == IN_LINE && of_other.kind == IN_LINE)
    return of_one.number == of_other.number ? TB_PEAKS_SITE_SAME : TB_PEAKS_SITE_DIFFERENT;
  if (of_one.kind == IN_LINE || of_other.kind == IN_LINE)
    return TB_PEAKS_SITE_UNCERTAIN;
  return get_page_offset (&of_one) == get_page_offset (&of_other) ? TB_PEAKS_SITE_SAME
                                                                  : TB_PEAKS_SITE_DIFFERENT;
}

TbPeaksSavedSite
tb_peaks_saved_get_site (JsonObject *node, gboolean *is_damaged)
{
  JsonNode *member = json_object_get_member (node, "place");
  TbPeaksSavedSite place
      = { tb_peaks_saved_get_string (node, "place"), tb_peaks_saved_get_string (node, "build_id") };

  *is_damaged
      = member != NULL && !JSON_NODE_HOLDS_NULL (member)
        && !(JSON_NODE_HOLDS_VALUE (member) && json_node_get_value_type (member) == G_TYPE_STRING
             && (*place.text == '\0' || parse (place.text).kind != UNKNOWN));
  if (*is_damaged)
    place.text = "";
  return place;
}

char *
tb_peaks_saved_format_site (const char *path, guint64 offset)
{
  g_autofree char *file = g_path_get_basename (path);

  return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", file, offset);
}

/* sentence: (transfer full) */
static void
append (GString *text, guint n, char *sentence)
{
  if (n > 0)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", sentence);
  g_free (sentence);
}

char *
tb_peaks_saved_describe_matches (const TbPeaksSavedMatches *matches)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append (text, matches->n_by_name,
          g_strdup_printf (
              ngettext ("%'u call in the state was matched by the name of its function alone, "
                        "because its call site is not known on both sides.",
                        "%'u calls in the state were matched by the names of their functions "
                        "alone, because their call sites are not known on both sides.",
                        matches->n_by_name),
              matches->n_by_name));
  append (
      text, matches->n_ambiguous,
      g_strdup_printf (ngettext ("%'u call in the state has several matches and was not matched.",
                                 "%'u calls in the state have several matches and were not "
                                 "matched.",
                                 matches->n_ambiguous),
                       matches->n_ambiguous));
  append (text, matches->n_elsewhere,
          g_strdup_printf (
              ngettext ("%'u call in the state that was a cause is made at a site without known "
                        "calls in this recording, and was not matched.",
                        "%'u calls in the state that were causes are made at sites without known "
                        "calls in this recording, and were not matched.",
                        matches->n_elsewhere),
              matches->n_elsewhere));
  append (text, matches->n_damaged,
          g_strdup_printf (ngettext ("%'u call in the state has a call site that cannot be read.",
                                     "%'u calls in the state have call sites that cannot be read.",
                                     matches->n_damaged),
                           matches->n_damaged));
  return text->len > 0 ? g_strdup (text->str) : NULL;
}
