/* tb-text-private.h: laying out text in columns of a terminal
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Text of recordings may hold anything a program called itself: what moves the cursor or turns the direction of writing
 * becomes U+FFFD in all of these. Widths are in columns: wide characters take two. */
gboolean tb_text_is_harmless (gunichar c);
guint tb_text_get_width (const char *text);
/* At most width columns of text, "…" at its end where it was cut. Returns the columns written. */
guint tb_text_append_cut (GString *out, const char *text, guint width);
/* Likewise, filled up with spaces behind, or before where right is set. */
void tb_text_append_padded (GString *out, const char *text, guint width, gboolean right);
/* Lines of at most width columns (0: one line), broken at spaces, all but the first indented. Ends with a newline. */
void tb_text_append_wrapped (GString *out, const char *text, guint width, guint indent);
void tb_text_append_repeated (GString *out, const char *text, guint times);

G_END_DECLS
