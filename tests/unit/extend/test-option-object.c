/* test-option-object.c: test of options stored in fields of an object
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/options/tb-option-object.h"
#include "extend/plugins/tb-analysis.h"
#include "extend/plugins/tb-collector.h"
#include "extend/plugins/tb-exporter.h"
#include "extend/plugins/tb-importer.h"

typedef enum
{
  TEST_ORDER_COUNT,
  TEST_ORDER_DELAY = 7,
} TestOrder;

typedef enum
{
  TEST_PARTS_USER = 1 << 0,
  TEST_PARTS_KERNEL = 1 << 3,
} TestParts;

GType test_order_get_type (void);
GType test_parts_get_type (void);
G_DEFINE_ENUM_TYPE (TestOrder,
                    test_order,
                    G_DEFINE_ENUM_VALUE (TEST_ORDER_COUNT, "count"),
                    G_DEFINE_ENUM_VALUE (TEST_ORDER_DELAY, "delay"))
G_DEFINE_FLAGS_TYPE (TestParts,
                     test_parts,
                     G_DEFINE_ENUM_VALUE (TEST_PARTS_USER, "user"),
                     G_DEFINE_ENUM_VALUE (TEST_PARTS_KERNEL, "kernel"))

#define TEST_TYPE_ANALYSIS (test_analysis_get_type ())
G_DECLARE_FINAL_TYPE (TestAnalysis, test_analysis, TEST, ANALYSIS, TbOptionObject)

struct _TestAnalysis
{
  TbOptionObject parent_instance;

  gboolean is_on;
  int bin;
  guint count;
  gint64 length;
  guint64 bytes;
  TestOrder order;
  TestParts parts;
  double share;
  char *text;
  char **list;
  GPtrArray *more;
};

static void
iface_init (TbAnalysisInterface *iface)
{
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestAnalysis,
                               test_analysis,
                               TB_TYPE_OPTION_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_ANALYSIS, iface_init))

#define FIELD(name) G_STRUCT_OFFSET (TestAnalysis, name)

static void
test_analysis_class_init (TestAnalysisClass *klass)
{
  TbOptionObjectClass *class = TB_OPTION_OBJECT_CLASS (klass);
  const GParamFlags list_flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  tb_option_object_class_add (class, FIELD (text),
                              g_param_spec_string ("z-text", "", "", "first", TB_OPTION_FLAGS));
  tb_option_object_class_add (class, FIELD (is_on),
                              g_param_spec_boolean ("is-on", "", "", TRUE, TB_OPTION_FLAGS));
  tb_option_object_class_add (class, FIELD (bin),
                              g_param_spec_int ("bin", "", "", -1, 9, -1, TB_OPTION_FLAGS));
  tb_option_object_class_add (class, FIELD (count),
                              g_param_spec_uint ("count", "", "", 0, 9, 7, TB_OPTION_FLAGS));
  tb_option_object_class_add (class, FIELD (length),
                              g_param_spec_int64 ("length", "", "", 0, G_MAXINT64, G_MAXINT64 - 1,
                                                  TB_OPTION_FLAGS));
  tb_option_object_class_add (class, FIELD (bytes),
                              g_param_spec_uint64 ("bytes", "", "", 0, G_MAXUINT64, G_MAXUINT64,
                                                   TB_OPTION_FLAGS));
  tb_option_object_class_add (class, FIELD (order),
                              g_param_spec_enum ("order", "", "", test_order_get_type (),
                                                 TEST_ORDER_COUNT, TB_OPTION_FLAGS));
  tb_option_object_class_add (class, FIELD (parts),
                              g_param_spec_flags ("parts", "", "", test_parts_get_type (),
                                                  TEST_PARTS_USER, TB_OPTION_FLAGS));
  tb_option_object_class_add (class, FIELD (share),
                              g_param_spec_double ("share", "", "", 0, 1, 0.25, TB_OPTION_FLAGS));
  tb_option_object_class_add (class, FIELD (list),
                              g_param_spec_boxed ("list", "", "", G_TYPE_STRV, list_flags));
  tb_option_object_class_add (class, FIELD (more),
                              g_param_spec_boxed ("more", "", "", G_TYPE_PTR_ARRAY, list_flags));
}

static void
test_analysis_init (TestAnalysis *self)
{
}

static void
test_fields (void)
{
  g_autoptr (TestAnalysis) analysis = g_object_new (TEST_TYPE_ANALYSIS, NULL);
  g_autoptr (TestAnalysis) copy = g_object_new (TEST_TYPE_ANALYSIS, NULL);
  g_autoptr (GPtrArray) more = g_ptr_array_new ();
  g_auto (GStrv) options = tb_analysis_get_options (TB_ANALYSIS (analysis));
  g_autofree char *joined = g_strjoinv (" ", options);

  /* In the order in which they were added, without properties that have no text form. */
  g_assert_cmpstr (joined, ==, "z-text is-on bin count length bytes order parts share list");
  g_assert_cmpstr (analysis->text, ==, "first");
  g_assert_true (analysis->is_on);
  g_assert_cmpint (analysis->bin, ==, -1);
  g_assert_cmpuint (analysis->count, ==, 7);
  g_assert_cmpint (analysis->length, ==, G_MAXINT64 - 1);
  g_assert_cmpuint (analysis->bytes, ==, G_MAXUINT64);
  g_assert_cmpint (analysis->order, ==, TEST_ORDER_COUNT);
  g_assert_cmpint (analysis->parts, ==, TEST_PARTS_USER);
  g_assert_cmpfloat (analysis->share, ==, 0.25);
  g_assert_null (analysis->list);

  g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), "z_text", "other", NULL));
  g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), "is-on", "no", NULL));
  g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), "bin", "9", NULL));
  g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), "count", "3", NULL));
  g_assert_false (tb_option_set_from_text (G_OBJECT (analysis), "count", "10", NULL));
  g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), "length", "12", NULL));
  g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), "bytes", "4294967296", NULL));
  g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), "order", "delay", NULL));
  g_assert_false (tb_option_set_from_text (G_OBJECT (analysis), "order", "7", NULL));
  g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), "parts", "user,kernel", NULL));
  g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), "share", "0.5", NULL));
  g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), "list", "a,b", NULL));
  g_object_set (analysis, "more", more, NULL);
  g_assert_true (analysis->more == more);

  tb_option_copy (G_OBJECT (analysis), G_OBJECT (copy), (const char *const *) options);
  g_assert_cmpstr (copy->text, ==, "other");
  g_assert_false (copy->is_on);
  g_assert_cmpint (copy->bin, ==, 9);
  g_assert_cmpuint (copy->count, ==, 3);
  g_assert_cmpint (copy->length, ==, 12);
  g_assert_cmpuint (copy->bytes, ==, G_GUINT64_CONSTANT (1) << 32);
  g_assert_cmpint (copy->order, ==, TEST_ORDER_DELAY);
  g_assert_cmpint (copy->parts, ==, TEST_PARTS_USER | TEST_PARTS_KERNEL);
  g_assert_cmpfloat (copy->share, ==, 0.5);
  g_assert_cmpstr (copy->list[1], ==, "b");
  g_assert_true (copy->list != analysis->list);
  g_assert_null (copy->more);

  /* A string or list property is never NULL after it was set. */
  g_object_set (copy, "z-text", NULL, "list", NULL, NULL);
  g_assert_cmpstr (copy->text, ==, "");
  g_assert_null (copy->list[0]);
}

/* The text of each option sets the same value on another object. */
static void
test_texts (void)
{
  static const char *const texts[][3] = {
    { "z-text", "first", "a, \"b\" ä" },
    { "is-on", "true", "false" },
    { "bin", "-1", "9" },
    { "count", "7", "0" },
    { "length", "9223372036854775806ns", "90s" },
    { "bytes", "18446744073709551615", "1" },
    { "order", "count", "delay" },
    { "parts", "user", "user,kernel" },
    { "share", "0.25", "0.10000000000000001" },
    { "list", "", "f(int, long),b\\,c" },
  };
  g_autoptr (TestAnalysis) analysis = g_object_new (TEST_TYPE_ANALYSIS, NULL);
  g_auto (GStrv) options = tb_analysis_get_options (TB_ANALYSIS (analysis));

  tb_option_set_unit (g_object_class_find_property (G_OBJECT_GET_CLASS (analysis), "length"), "ns");
  g_assert_cmpuint (g_strv_length (options), ==, G_N_ELEMENTS (texts));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *initial = tb_option_get_as_text (G_OBJECT (analysis), texts[i][0]);
      g_autofree char *other = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_cmpstr (initial, ==, texts[i][1]);
      tb_option_set_from_text (G_OBJECT (analysis), texts[i][0], initial, &error);
      g_assert_no_error (error);
      tb_option_set_from_text (G_OBJECT (analysis), texts[i][0], texts[i][2], &error);
      g_assert_no_error (error);
      other = tb_option_get_as_text (G_OBJECT (analysis), texts[i][0]);
      g_assert_cmpstr (other, ==, texts[i][2]);
    }
  g_assert_cmpstr (analysis->list[0], ==, "f(int, long)");
  g_assert_cmpstr (analysis->list[1], ==, "b,c");
  g_assert_null (tb_option_get_as_text (G_OBJECT (analysis), "more"));
  g_assert_null (tb_option_get_as_text (G_OBJECT (analysis), "none"));
}

/* A plug-in of several kinds, each of which has options of its own and one that all have. */
#define TEST_TYPE_KINDS (test_kinds_get_type ())
G_DECLARE_FINAL_TYPE (TestKinds, test_kinds, TEST, KINDS, GObject)

struct _TestKinds
{
  GObject parent_instance;

  int values[4]; /* by property */
};

static char **
list_of_collector (TbCollector *self)
{
  return g_strsplit ("all,collector", ",", -1);
}

static char **
list_of_importer (TbImporter *self)
{
  return g_strsplit ("all,importer", ",", -1);
}

static char **
list_of_exporter (TbExporter *self)
{
  return g_strsplit ("all,exporter", ",", -1);
}

static void
collector_init (TbCollectorInterface *iface)
{
  iface->get_options = list_of_collector;
}

static void
importer_init (TbImporterInterface *iface)
{
  iface->get_options = list_of_importer;
}

static void
exporter_init (TbExporterInterface *iface)
{
  iface->get_options = list_of_exporter;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestKinds,
                               test_kinds,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_COLLECTOR, collector_init)
                                   G_IMPLEMENT_INTERFACE (TB_TYPE_IMPORTER, importer_init)
                                       G_IMPLEMENT_INTERFACE (TB_TYPE_EXPORTER, exporter_init))

static void
test_kinds_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  TEST_KINDS (object)->values[id - 1] = g_value_get_int (value);
}

static void
test_kinds_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_int (value, TEST_KINDS (object)->values[id - 1]);
}

static const char *const kinds[] = { "all", "collector", "importer", "exporter" };

static void
test_kinds_class_init (TestKindsClass *klass)
{
  GObjectClass *class = G_OBJECT_CLASS (klass);

  class->set_property = test_kinds_set_property;
  class->get_property = test_kinds_get_property;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    g_object_class_install_property (class, i + 1,
                                     g_param_spec_int (kinds[i], "", "", 0, 9, 0,
                                                       G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
}

static void
test_kinds_init (TestKinds *self)
{
}

static void
test_all_kinds (void)
{
  g_autoptr (TestKinds) self = g_object_new (TEST_TYPE_KINDS, NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_assert_true (tb_option_set_from_text (G_OBJECT (self), kinds[i], "7", NULL));
      g_assert_cmpint (self->values[i], ==, 7);
    }
  g_assert_false (tb_option_set_from_text (G_OBJECT (self), "none", "7", &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const char *first = strstr (error->message, kinds[i]);

      g_assert_nonnull (first);
      g_assert_null (strstr (first + 1, kinds[i]));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/option-object/fields", test_fields);
  g_test_add_func ("/option-object/texts", test_texts);
  g_test_add_func ("/option-object/kinds", test_all_kinds);
  return g_test_run ();
}
