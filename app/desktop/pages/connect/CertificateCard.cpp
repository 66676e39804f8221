#include "pages/connect/CertificateCard.h"
#include "base/DisplayText.h"
#include "remotes/Fingerprint.h"
#include "widgets/CodeBlock.h"
#include "widgets/Words.h"
#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

static QLabel *addLine(QLabel *label, Card *card)
{
    label->setWordWrap(true);
    card->body()->addWidget(label);
    return label;
}

CertificateCard::CertificateCard(QWidget *parent) : Card({}, parent)
{
    m_title = addLine(Words::plain({}, this), this);
    m_title->setFont(Words::scaled(font(), 1.0, QFont::Bold));
    m_print = addLine(Words::mono({}, this), this);
    m_print->setObjectName(QStringLiteral("fingerprint"));
    m_print->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_about = addLine(Words::plain({}, this), this);
    m_how = addLine(Words::muted(tr("Compare it with “pvenode cert info” on the server."), this), this);
    m_buttons = new QWidget(this);
    auto *row = new QHBoxLayout(m_buttons);
    row->setContentsMargins(0, 4, 0, 0);
    row->setSpacing(8);
    m_trust = new QPushButton(tr("It matches, trust it"), m_buttons);
    m_trust->setObjectName(QStringLiteral("trust"));
    m_trust->setProperty("role", "primary");
    m_trust->setAutoDefault(false);
    auto *refuse = new QPushButton(tr("Cancel"), m_buttons);
    refuse->setObjectName(QStringLiteral("refuse"));
    refuse->setAutoDefault(false);
    connect(m_trust, &QPushButton::clicked, this, &CertificateCard::trusted);
    connect(refuse, &QPushButton::clicked, this, &CertificateCard::refused);
    row->addWidget(m_trust);
    row->addWidget(refuse);
    row->addStretch();
    body()->addWidget(m_buttons);
}

static void restyle(QWidget *widget, const QVariant &tone)
{
    widget->setProperty("tone", tone);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

/// Two lines of sixteen pairs, so that nobody has to scroll to compare.
static QString printed(const QByteArray &sha256)
{
    const auto whole = Fingerprint::text(sha256);
    return QStringLiteral("SHA-256 %1\n        %2").arg(whole.left(48), whole.mid(48));
}

/// What a person can judge of what is wrong with it, besides who signed it.
static QStringList faults(const ShownChain &chain)
{
    const auto &own = chain.own();
    QStringList all;
    if (own.validUntil.isValid() && own.validUntil < QDateTime::currentDateTimeUtc())
        all << CertificateCard::tr("it has expired");
    if (!chain.isTrusted() && !own.hosts.contains(chain.address.host, Qt::CaseInsensitive))
        all << CertificateCard::tr("it is not made for %1").arg(DisplayText::visible(chain.address.host));
    return all;
}

void CertificateCard::show(const ShownChain &chain, bool isOneOfSeveral)
{
    const auto &own = chain.own();
    const bool isTrusted = chain.isTrusted();
    m_title->setText(isTrusted          ? tr("This computer trusts the server’s certificate")
                     : own.isSelfSigned ? tr("Self-signed certificate")
                                        : tr("Certificate of an authority that this computer does not know"));
    if (isOneOfSeveral)
        m_title->setText(
            tr("%1: %2", "an address, and what its certificate is").arg(chain.address.text(), m_title->text()));
    m_print->setText(printed(own.sha256));
    QStringList about;
    if (!own.subject.isEmpty())
        about << DisplayText::visible(own.subject);
    if (!own.isSelfSigned && !own.issuer.isEmpty())
        about << tr("issued by %1").arg(DisplayText::visible(own.issuer));
    about << tr("until %1").arg(QLocale().toString(own.validUntil.toLocalTime().date(), QStringLiteral("yyyy-MM-dd")));
    about << faults(chain);
    m_about->setText(about.join(QStringLiteral(" · ")));
    m_about->setToolTip(DisplayText::visible(chain.doubts.join(u'\n'), true).toHtmlEscaped());
    m_how->setVisible(!isTrusted);
    m_buttons->setVisible(!isTrusted);
    restyle(this, isTrusted ? QVariant() : QVariant(QStringLiteral("amber")));
    QWidget::show();
    if (!isTrusted)
        m_trust->setFocus();
}

void CertificateCard::setTrusted()
{
    m_title->setText(tr("You trust this certificate from now on"));
    m_how->hide();
    m_buttons->hide();
    restyle(this, {});
}
