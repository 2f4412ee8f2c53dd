/* tb-switch-rate.c: present rate of thread switches on this computer, for the expected cost of
 * recordings
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "extend/plugins/tb-switch-rate.h"

#define MEASURED_US (100 * G_TIME_SPAN_MILLISECOND)
/* Preflights of several collectors follow each other within this time. */
#define VALID_US (30 * G_TIME_SPAN_SECOND)

/* Switches of all CPUs since boot; 0: unknown */
static guint64
count_switches (void)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/stat", &text, NULL, NULL))
    return 0;
  line = strstr (text, "\nctxt ");
  return line != NULL ? g_ascii_strtoull (line + strlen ("\nctxt "), NULL, 10) : 0;
}

static guint64
measure (void)
{
  gint64 begin = g_get_monotonic_time (), elapsed;
  guint64 before = count_switches (), after;

  g_usleep (MEASURED_US);
  after = count_switches ();
  elapsed = g_get_monotonic_time () - begin;
  return before > 0 && after > before ? (after - before) * G_USEC_PER_SEC / (guint64) elapsed : 0;
}

static GMutex lock;
static gint64 valid_until = G_MININT64;
static guint64 known_rate;

/**
 * tb_switch_rate_get:
 *
 * Measures the rate of switches. What a preflight tries makes switches itself, so the rate must be
 * measured before, and the rate of the first preflight is that of those that follow soon.
 *
 * Returns: the switches per second of all CPUs, 0 if that is unknown
 */
guint64
tb_switch_rate_get (void)
{
  guint64 found;

  g_mutex_lock (&lock);
  if (g_get_monotonic_time () > valid_until)
    {
      known_rate = measure ();
      valid_until = g_get_monotonic_time () + VALID_US;
    }
  found = known_rate;
  g_mutex_unlock (&lock);
  return found;
}

/**
 * tb_switch_rate_set:
 * @rate: switches per second, 0: unknown
 *
 * Uses a rate from now on instead of the present one, for tests.
 */
void
tb_switch_rate_set (guint64 rate)
{
  g_mutex_lock (&lock);
  known_rate = rate;
  valid_until = G_MAXINT64;
  g_mutex_unlock (&lock);
}
