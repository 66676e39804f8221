#include "pages/storage/StoragePage.h"
#include "base/DisplayText.h"
#include "inventory/Inventory.h"
#include "widgets/Card.h"
#include "widgets/Facts.h"
#include "widgets/Quantity.h"
#include "widgets/Words.h"
#include <QVBoxLayout>

StoragePage::StoragePage(Inventory &inventory, QWidget *parent)
    : DetailPage(parent), m_inventory(inventory), m_name(Words::title({}, this)),
      m_aside(Words::aside(tr("storage"), this)), m_facts(new Facts(this))
{
    setObjectName(QStringLiteral("canvas"));
    setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout;
    row->setSpacing(10);
    row->addWidget(m_name, 0, Qt::AlignBaseline);
    row->addWidget(m_aside, 0, Qt::AlignBaseline);
    row->addStretch(1);
    auto *card = new Card(tr("About"), this);
    card->setMaximumWidth(520);
    card->body()->addWidget(m_facts);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(18, 12, 18, 16);
    all->setSpacing(12);
    all->addLayout(row);
    all->addWidget(card);
    all->addStretch(1);
    connect(&m_inventory, &Inventory::changed, this, [this](const QString &remote) {
        if (remote == m_selection.remote)
            refresh();
    });
}

void StoragePage::show(const Selection &selection)
{
    m_selection = selection;
    refresh();
}

void StoragePage::refresh()
{
    const auto cluster = m_inventory.snapshot(m_selection.remote);
    if (!cluster)
        return;
    QStringList nodes, missing;
    std::optional<StorageState> shown;
    for (const auto &storage : cluster->storages) {
        const bool isThis =
            storage.name == m_selection.storage && (storage.isShared || storage.node == m_selection.node);
        if (!isThis)
            continue;
        (storage.isAvailable ? nodes : missing) << storage.node.text();
        if (!shown || (!shown->isAvailable && storage.isAvailable))
            shown = storage;
    }
    if (!shown)
        return;
    m_name->setText(shown->name.text());
    m_aside->setText(shown->isShared ? tr("shared storage") : tr("storage on %1").arg(shown->node.text()));
    const bool isKnown = shown->used && shown->size && *shown->size > 0;
    m_facts->set(tr("Used"), isKnown ? Quantity::bytesOf(*shown->used, *shown->size) : Quantity::unknown());
    m_facts->setBar(tr("Used"), isKnown ? static_cast<double>(*shown->used) / static_cast<double>(*shown->size) : -1);
    m_facts->set(tr("Type"), DisplayText::visible(shown->type));
    m_facts->set(tr("May hold"), DisplayText::visible(shown->content).replace(u',', QLatin1String(", ")));
    m_facts->set(tr("Available on"), nodes.isEmpty() ? tr("no node") : nodes.join(QStringLiteral(", ")));
    m_facts->set(tr("Not available on"), missing.join(QStringLiteral(", ")));
}
