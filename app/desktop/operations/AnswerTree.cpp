#include "operations/AnswerTree.h"
#include "base/DisplayText.h"
#include <QDateTime>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonObject>
#include <QLocale>

namespace
{
/// What an entry of a list is called: its name, or whatever tells it from the others.
QString nameOf(const QJsonValue &entry)
{
    for (const auto *key : {"name", "label", "guest", "node", "storage", "poolid", "userid", "role", "backup", "volid",
                            "iface", "sid", "id", "upid", "vmid", "target", "path"}) {
        const auto value = entry[QLatin1String(key)];
        if (value.isString() && !value.toString().isEmpty())
            return value.toString();
        if (value.isDouble())
            return QString::number(value.toInteger());
    }
    return {};
}

bool isSize(const QString &key)
{
    static const QStringList sizes{"size",    "used", "free",   "total",      "maxmem",
                                   "maxdisk", "mem",  "memory", "memory_max", "disk_size"};
    return sizes.contains(key);
}

bool isTime(const QString &key)
{
    static const QStringList times{"time",     "ctime",     "start_time", "end_time",    "last_sync",
                                   "last_try", "next_sync", "next-run",   "last_answer", "last_seen"};
    return times.contains(key);
}

/// Absent, null and 0 stay three things.
QString textOf(const QString &key, const QJsonValue &value)
{
    const QLocale locale;
    if (value.isNull())
        return AnswerTree::tr("not set");
    if (value.isBool())
        return value.toBool() ? AnswerTree::tr("yes") : AnswerTree::tr("no");
    if (!value.isDouble())
        return DisplayText::visible(value.toString());
    if (isTime(key) && value.toInteger() > 1'000'000'000)
        return locale.toString(QDateTime::fromSecsSinceEpoch(value.toInteger()), QLocale::ShortFormat);
    if (isSize(key) && value.toDouble() >= 1024)
        return locale.formattedDataSize(value.toInteger(), 1, QLocale::DataSizeIecFormat);
    return value.toVariant().toString();
}
}

AnswerTree::AnswerTree(QWidget *parent) : QTreeWidget(parent)
{
    setObjectName(QStringLiteral("answer"));
    setAccessibleName(tr("Answer"));
    setColumnCount(2);
    setHeaderHidden(true);
    setUniformRowHeights(true);
    setAlternatingRowColors(true);
    setFrameShape(QFrame::NoFrame);
    header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    setMinimumSize(420, 260);
}

void AnswerTree::set(const QJsonValue &answer)
{
    clear();
    const auto object = answer.toObject();
    for (auto each = object.begin(); each != object.end(); ++each)
        add(invisibleRootItem(), each.key(), *each);
    if (!answer.isObject())
        add(invisibleRootItem(), tr("Answer"), answer);
    expandToDepth(0);
}

void AnswerTree::add(QTreeWidgetItem *under, const QString &key, const QJsonValue &value)
{
    auto *item = new QTreeWidgetItem(under, {DisplayText::visible(key), QString()});
    if (value.isArray()) {
        const auto list = value.toArray();
        item->setText(1, list.isEmpty() ? tr("none") : QString::number(list.size()));
        for (qsizetype at = 0; at < list.size(); ++at) {
            const auto name = nameOf(list[at]);
            add(item, name.isEmpty() ? QString::number(at) : name, list[at]);
        }
    } else if (value.isObject()) {
        const auto object = value.toObject();
        for (auto each = object.begin(); each != object.end(); ++each)
            add(item, each.key(), *each);
    } else {
        item->setText(1, textOf(key, value));
        item->setToolTip(1, item->text(1));
    }
}
