/* tb-filter.h: filter of the items of figures: parsed from text, and matched against processes,
 * threads, functions, words and intervals
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

/**
 * TbFilterError:
 * @TB_FILTER_ERROR_KEY: unknown key before a colon
 * @TB_FILTER_ERROR_STATE: unknown state
 * @TB_FILTER_ERROR_DURATION: invalid duration
 * @TB_FILTER_ERROR_LENGTH: text is too long or has too many terms
 *
 * The errors of [func@Tailback.Filter.parse].
 */
typedef enum
{
  TB_FILTER_ERROR_KEY,
  TB_FILTER_ERROR_STATE,
  TB_FILTER_ERROR_DURATION,
  TB_FILTER_ERROR_LENGTH,
} TbFilterError;

#define TB_FILTER_ERROR (tb_filter_error_quark ())
TB_EXPORT GQuark tb_filter_error_quark (void);

#define TB_TYPE_FILTER (tb_filter_get_type ())
typedef struct _TbFilter TbFilter;
TB_EXPORT GType tb_filter_get_type (void);

TB_EXPORT TbFilter *tb_filter_parse (const char *text, GError **error);
TB_EXPORT TbFilter *tb_filter_ref (TbFilter *self);
TB_EXPORT void tb_filter_unref (TbFilter *self);
TB_EXPORT const char *tb_filter_get_text (const TbFilter *self);
TB_EXPORT gboolean tb_filter_equal (const TbFilter *one, const TbFilter *other);

TB_EXPORT gboolean tb_filter_is_empty (const TbFilter *self);
TB_EXPORT const char *const *tb_filter_get_words (const TbFilter *self);
TB_EXPORT gboolean tb_filter_limits_threads (const TbFilter *self);
TB_EXPORT gboolean tb_filter_limits_functions (const TbFilter *self);
TB_EXPORT guint32 tb_filter_get_states (const TbFilter *self);
TB_EXPORT gint64 tb_filter_get_min_length (const TbFilter *self);

TB_EXPORT gboolean tb_filter_match_thread (const TbFilter *self,
                                           const char *process,
                                           const char *thread);
TB_EXPORT gboolean tb_filter_match_process (const TbFilter *self, const char *process);
TB_EXPORT gboolean tb_filter_match_thread_name (const TbFilter *self, const char *thread);
TB_EXPORT gboolean tb_filter_match_function (const TbFilter *self,
                                             const char *function,
                                             const char *module);
TB_EXPORT gboolean tb_filter_match_words (const TbFilter *self,
                                          const char *const *texts,
                                          guint n_texts);
TB_EXPORT gboolean tb_filter_match_interval (const TbFilter *self, guint paint, gint64 length);

TB_EXPORT gboolean tb_filter_contains (const char *text, const char *folded);
TB_EXPORT char *tb_filter_fold (const char *text);
TB_EXPORT gboolean tb_filter_fold_ascii (const char *text, gsize length, char *to);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbFilter, tb_filter_unref)

G_END_DECLS
