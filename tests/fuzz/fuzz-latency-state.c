/* fuzz-latency-state.c: fuzz target for the result of a drill-down as stored in a session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "fuzz-target.h"
#include "live/tb-peaks-state.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbPeaksResult) result = tb_peaks_live_new (NULL, text, &error);

  g_autoptr (TbPeaksState) saved = tb_peaks_state_parse (text, NULL);

  g_assert_true ((result == NULL) == (error != NULL));
  if (saved != NULL && result != NULL)
    {
      TbPeakRange range = tb_peaks_state_get_range (saved);

      g_assert_true (range.first > range.last || range.last <= TB_PEAKS_MAX_BINS);
      tb_peaks_state_compare (saved, result->calls, result->operation);
    }
  for (guint i = 0; result != NULL && i < result->ranges->len; i++)
    {
      const GArray *causes = g_ptr_array_index (result->causes, i);
      g_autoptr (GArray) shares = tb_peaks_result_list_shares (result, i);

      for (guint j = 0; j < shares->len; j++)
        g_assert_cmpuint (
            tb_peaks_result_find_peak_of (result, g_array_index (shares, TbPeakCause, j).node), ==,
            i);

      for (guint j = 0; j < causes->len; j++)
        {
          g_auto (GStrv) path
              = tb_peaks_result_get_path (result, g_array_index (causes, TbPeakCause, j).node);

          g_assert_nonnull (path[0]);
        }
    }
  return 0;
}
