/* tb-text-private.h: layout of text in terminal columns: width, cutting, padding and wrapping, with
 * harmful characters replaced
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Text from recordings is untrusted: characters that move the cursor or change the writing
 * direction become U+FFFD in all of these functions. Widths are in columns: wide characters take
 * two. */
gboolean tb_text_is_harmless (gunichar c);
guint tb_text_get_width (const char *text);
/* At most width columns of text, with "…" at the end if it was cut. Returns the number of columns
 * written. */
guint tb_text_append_cut (GString *out, const char *text, guint width);
/* Likewise, padded with spaces: behind the text, or before it if right is set. */
void tb_text_append_padded (GString *out, const char *text, guint width, gboolean right);
/* Lines of at most width columns (0: one line), broken at spaces. All lines but the first are
 * indented. Ends with a newline. */
void tb_text_append_wrapped (GString *out, const char *text, guint width, guint indent);
void tb_text_append_repeated (GString *out, const char *text, guint times);

G_END_DECLS
