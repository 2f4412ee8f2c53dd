/* tb-record-purpose.c: presets of collector options for purposes of a recording, such as rare
 * stalls or low cost: table, application to a collector, search of the one that its options match
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/recording/tb-record-purpose.h"

#define MAX_SETTINGS 4

typedef struct
{
  const char *name;
  const char *description;
  struct
  {
    const char *option;
    const char *value;      /* NULL: set by the user */
  } settings[MAX_SETTINGS]; /* all other options have their default */
} Purpose;

static const Purpose purposes[] = {
  { N_ ("Waits"),
    N_ ("What threads wait for and what ends it, disks, network, samples of what runs: right for "
        "most questions"),
    { { NULL } } },
  { N_ ("System Calls"),
    N_ ("Also every system call, with the functions that made it: shows the time that callers "
        "spend "
        "in system calls. Recording costs more"),
    { { "syscalls", "true" }, { "syscall-stacks", "true" } } },
  { N_ ("Rare Stalls"),
    N_ ("Flight recorder: only the last 30 seconds are kept. Start it, and stop it after the "
        "stall"),
    { { "flight-recorder", "30s" } } },
  { N_ ("Slow Calls of a Function"),
    N_ ("How long the calls of one function take, shown during the recording; choose a peak in the "
        "histogram to find what makes its calls slow"),
    { { "function", NULL }, { "interactive", "true" } } },
  { N_ ("Low Cost"),
    N_ ("Only when threads run, wait and wake each other, without stacks: for busy machines"),
    { { "samples", "false" }, { "stacks", "false" }, { "network", "false" } } },
};

/**
 * tb_record_purpose_get_n:
 *
 * Returns: number of purposes; the first one has the default options of a collector
 */
guint
tb_record_purpose_get_n (void)
{
  return G_N_ELEMENTS (purposes);
}

const char *
tb_record_purpose_get_name (guint purpose)
{
  g_return_val_if_fail (purpose < G_N_ELEMENTS (purposes), NULL);
  return _ (purposes[purpose].name);
}

const char *
tb_record_purpose_get_description (guint purpose)
{
  g_return_val_if_fail (purpose < G_N_ELEMENTS (purposes), NULL);
  return _ (purposes[purpose].description);
}

/**
 * tb_record_purpose_suits:
 *
 * Returns: whether the collector has all options of the purpose
 */
gboolean
tb_record_purpose_suits (guint purpose, const TbCollectorChoice *choice)
{
  g_auto (GStrv) names = tb_collector_get_options (choice->collector);

  g_return_val_if_fail (purpose < G_N_ELEMENTS (purposes), FALSE);

  /* A collector that probes one function serves only the purpose with that option. */
  if (g_strv_contains ((const char *const *) names, "function")
      && g_strcmp0 (purposes[purpose].settings[0].option, "function") != 0)
    return FALSE;
  for (guint i = 0; i < MAX_SETTINGS && purposes[purpose].settings[i].option != NULL; i++)
    if (!g_strv_contains ((const char *const *) names, purposes[purpose].settings[i].option))
      return FALSE;
  return TRUE;
}

/* Copies an option that the user sets. */
static void
copy_option (TbCollector *from, TbCollector *to, const char *name)
{
  const char *const names[] = { name, NULL };

  tb_option_copy (G_OBJECT (from), G_OBJECT (to), names);
}

/* (transfer full): a new collector with the options of a purpose that suits it. */
static TbCollector *
create_preset (guint purpose, const TbCollectorChoice *choice)
{
  TbCollector *preset = tb_engine_create_collector (tb_engine_get_default (), choice->id, NULL);

  g_assert (preset != NULL); /* the plug-in was loaded before */
  for (guint i = 0; i < MAX_SETTINGS && purposes[purpose].settings[i].option != NULL; i++)
    {
      g_autoptr (GError) error = NULL;

      if (purposes[purpose].settings[i].value == NULL)
        copy_option (choice->collector, preset, purposes[purpose].settings[i].option);
      else if (!tb_option_set_from_text (G_OBJECT (preset), purposes[purpose].settings[i].option,
                                         purposes[purpose].settings[i].value, &error))
        g_warning ("%s: %s", choice->id, error->message);
    }
  return preset;
}

/**
 * tb_record_purpose_apply:
 * @purpose: a purpose that suits the collector
 *
 * Sets all options of the collector to those of the purpose.
 */
void
tb_record_purpose_apply (guint purpose, const TbCollectorChoice *choice)
{
  g_auto (GStrv) names = tb_collector_get_options (choice->collector);
  g_autoptr (TbCollector) preset = NULL;

  g_return_if_fail (purpose < G_N_ELEMENTS (purposes));

  preset = create_preset (purpose, choice);
  tb_option_copy (G_OBJECT (preset), G_OBJECT (choice->collector), (const char *const *) names);
}

static gboolean
has_same_options (TbCollector *collector, TbCollector *preset)
{
  g_auto (GStrv) names = tb_collector_get_options (collector);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (JsonNode) mine = tb_option_get_as_json (G_OBJECT (collector), names[i]);
      g_autoptr (JsonNode) other = tb_option_get_as_json (G_OBJECT (preset), names[i]);

      if (!json_node_equal (mine, other))
        return FALSE;
    }
  return TRUE;
}

/**
 * tb_record_purpose_find:
 *
 * Returns: the purpose that matches the options of the collector; the number of purposes if none
 *   does
 */
guint
tb_record_purpose_find (const TbCollectorChoice *choice)
{
  for (guint i = 0; i < G_N_ELEMENTS (purposes); i++)
    {
      g_autoptr (TbCollector) preset = NULL;

      if (!tb_record_purpose_suits (i, choice))
        continue;
      preset = create_preset (i, choice);
      if (has_same_options (choice->collector, preset))
        return i;
    }
  return G_N_ELEMENTS (purposes);
}
