#pragma once
#include "pve/CertificateProbe.h"
#include "widgets/Card.h"

class QLabel;
class QPushButton;

/// The certificate a server showed, for the person to compare before anything is sent; or that this computer trusts it.
class CertificateCard : public Card
{
    Q_OBJECT
public:
    explicit CertificateCard(QWidget *parent = nullptr);
    /// `isOneOfSeveral`: names the address, since others are asked about too.
    void show(const ShownChain &chain, bool isOneOfSeveral = false);
    using QWidget::show;
    /// The person has said yes: the question becomes a statement.
    void setTrusted();

Q_SIGNALS:
    void trusted();
    void refused();

private:
    QLabel *m_title, *m_print, *m_about, *m_how;
    QWidget *m_buttons;
    QPushButton *m_trust;
};
