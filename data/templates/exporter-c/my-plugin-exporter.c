/* my-plugin-exporter.c: exporter for Tailback: states of all threads as tab-separated values
 *
 * SPDX-License-Identifier: MIT-0
 */

#include <libpeas.h>
#include <tailback.h>

#define CHUNK 65536u

G_DECLARE_FINAL_TYPE (MyPluginExporter, my_plugin_exporter, MY_PLUGIN, EXPORTER, TbOptionObject)

struct _MyPluginExporter
{
  TbOptionObject parent_instance;

  gboolean with_unknown;
};

static void exporter_iface_init (TbExporterInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (MyPluginExporter,
                               my_plugin_exporter,
                               TB_TYPE_OPTION_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_EXPORTER, exporter_iface_init))

static void
my_plugin_exporter_class_init (MyPluginExporterClass *klass)
{
  tb_option_object_class_add (
      TB_OPTION_OBJECT_CLASS (klass), G_STRUCT_OFFSET (MyPluginExporter, with_unknown),
      g_param_spec_boolean ("with-unknown", "Unknown states",
                            "Write times in which the state of a thread is unknown", FALSE,
                            TB_OPTION_FLAGS));
}

static void
my_plugin_exporter_init (MyPluginExporter *self)
{
}

static const char *
get_extension (TbExporter *exporter)
{
  return "tsv";
}

static gboolean
write_text (GString *text, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  gboolean written
      = !g_cancellable_set_error_if_cancelled (cancellable, error)
        && g_output_stream_write_all (stream, text->str, text->len, NULL, cancellable, error);

  g_string_truncate (text, 0);
  return written;
}

/* A tab or line end in a name would be read as one of the file. */
static char *
describe_thread (TbTrace *trace, guint32 thread)
{
  return g_strdelimit (tb_trace_describe_thread (trace, thread), "\t\r\n", ' ');
}

/* Runs in a thread of its own. */
static gboolean
export_trace (TbExporter *exporter,
              TbTrace *trace,
              GOutputStream *stream,
              TbProgressFunc progress,
              gpointer data,
              GCancellable *cancellable,
              GError **error)
{
  MyPluginExporter *self = MY_PLUGIN_EXPORTER (exporter);
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  g_autoptr (GString) text = g_string_new ("thread\tstate\tstart_ns\tend_ns\n");
  g_autofree char *name = NULL;

  for (gsize i = 0; i < intervals->n; i++)
    {
      TbState state = intervals->state[i];

      if (i == 0 || intervals->thread[i] != intervals->thread[i - 1])
        {
          g_free (name);
          name = describe_thread (trace, intervals->thread[i]);
          if (progress != NULL)
            progress ((double) i / intervals->n, "Writing", data);
        }
      if (state != TB_STATE_UNKNOWN || self->with_unknown)
        g_string_append_printf (text, "%s\t%s\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\n", name,
                                tb_state_get_name (state), intervals->start[i], intervals->end[i]);
      if (text->len > CHUNK && !write_text (text, stream, cancellable, error))
        return FALSE;
    }
  return write_text (text, stream, cancellable, error);
}

static void
exporter_iface_init (TbExporterInterface *iface)
{
  iface->get_extension = get_extension;
  iface->export_trace = export_trace;
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_EXPORTER,
                                              my_plugin_exporter_get_type ());
}
