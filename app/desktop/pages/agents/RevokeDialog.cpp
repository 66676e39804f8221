#include "pages/agents/RevokeDialog.h"
#include "widgets/Words.h"
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

RevokeDialog::RevokeDialog(const QString &name, QWidget *parent) : QDialog(parent)
{
    setWindowTitle(tr("Shut out %1").arg(name));
    setWindowModality(Qt::WindowModal);
    setMinimumWidth(460);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(22, 20, 22, 20);
    column->setSpacing(10);
    auto *title = Words::title(tr("Shut out %1?").arg(name), this);
    title->setWordWrap(true);
    column->addWidget(title);
    auto *words =
        Words::plain(tr("Its key stops working at once and its sessions end. What it asked for and nobody has "
                        "answered is dropped; a change that was sent already goes on. To let it in again, it needs a "
                        "new key."),
                     this);
    words->setWordWrap(true);
    column->addWidget(words);
    column->addSpacing(6);
    auto *row = new QHBoxLayout;
    auto *keep = new QPushButton(tr("Keep it"), this);
    keep->setDefault(true);
    connect(keep, &QPushButton::clicked, this, &QDialog::reject);
    auto *out = new QPushButton(tr("Shut it out"), this);
    out->setObjectName(QStringLiteral("shutOut"));
    out->setProperty("role", "danger");
    out->setAutoDefault(false);
    connect(out, &QPushButton::clicked, this, &QDialog::accept);
    row->addStretch();
    row->addWidget(keep);
    row->addWidget(out);
    column->addLayout(row);
}
