/* tb-wait-device-table.c: table in a wait-graph report: rate used and capacity of each device,
 * with the source of the capacity (option, link speed or measured peak)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-device-table.h"

#include <glib/gi18n.h>

#include "report/table/tb-table-figure.h"
#include "tb-wait-items.h"
#include "model/tb-wait-names.h"

static char *
describe_rate (const TbWaitDevice *device, double rate)
{
  g_autofree char *size = NULL;

  /* The speed of links is given in bits. */
  if (device->source == TB_WAIT_CAPACITY_LINK)
    return g_strdup_printf (_ ("%'.6g Mbit/s"), rate * 8 / 1e6);
  if (!device->in_bytes)
    return g_strdup_printf (_ ("%'.6g requests/s"), rate);
  if (rate >= (double) G_MAXINT64)
    return g_strdup_printf (_ ("%'.6g bytes/s"), rate);
  size = g_format_size ((guint64) rate);
  /* Translators: a size, "3.5 MB/s". */
  return g_strdup_printf (_ ("%s/s"), size);
}

static char *
describe_source (const TbWaitDevice *device)
{
  switch (device->source)
    {
    case TB_WAIT_CAPACITY_GIVEN:
      return g_strdup (_ ("set by the option device-capacity"));
    case TB_WAIT_CAPACITY_LINK:
      return g_strdup_printf (_ ("link speed of %s, in each direction"), device->interface);
    case TB_WAIT_CAPACITY_PEAK:
      if (device->link_exceeded)
        return g_strdup_printf (_ ("measured peak: %s carried more than its %'.6g Mbit/s"),
                                device->interface, device->link_speed * 8 / 1e6);
      if (device->interface != NULL)
        return g_strdup_printf (_ ("measured peak: speed of %s unknown"), device->interface);
      return g_strdup (_ ("measured peak"));
    default:
      return g_strdup (_ ("unknown"));
    }
}

TbFigure *
tb_wait_make_device_table (const TbWaitResult *result)
{
  const GArray *devices = result->devices->devices;
  TbTableFigure *table = NULL;
  guint name = 0, used = 0, capacity = 0, share = 0, source = 0;

  for (guint i = 0; i < devices->len; i++)
    {
      const TbWaitDevice *device = &g_array_index (devices, TbWaitDevice, i);
      guint32 vertex = result->graph->vertex_of_node[device->node];
      g_autofree char *label = NULL, *used_text = NULL, *capacity_text = NULL, *source_text = NULL;
      guint row;

      if (vertex == TB_ID_NONE || device->source == TB_WAIT_CAPACITY_NONE)
        continue;
      if (table == NULL)
        {
          table = tb_table_figure_new (TB_WAIT_FIGURE_DEVICES, _ ("Capacity of Devices"));
          name = tb_table_figure_add_column (table, "device", _ ("Device"), TB_CELL_TEXT);
          used = tb_table_figure_add_column (table, "used", _ ("Used"), TB_CELL_TEXT);
          capacity = tb_table_figure_add_column (table, "capacity", _ ("Capacity"), TB_CELL_TEXT);
          share = tb_table_figure_add_column (table, "share", _ ("Share"), TB_CELL_SHARE);
          source = tb_table_figure_add_column (table, "source", _ ("Source"), TB_CELL_TEXT);
        }
      row = tb_table_figure_add_row (table, NULL);
      label = tb_wait_vertex_describe_translated (result->graph, vertex);
      used_text = describe_rate (device, device->used);
      capacity_text = describe_rate (device, device->capacity);
      source_text = describe_source (device);
      tb_table_figure_set_text (table, row, name, label);
      tb_table_figure_set_text (table, row, used, used_text);
      tb_table_figure_set_text (table, row, capacity, capacity_text);
      tb_table_figure_set_double (table, row, share, MIN (device->used / device->capacity, 1));
      tb_table_figure_set_text (table, row, source, source_text);
    }
  return table != NULL ? TB_FIGURE (table) : NULL;
}
