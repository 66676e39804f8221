#include "base/DisplayText.h"
#include "pages/connect/CertificateCard.h"
#include "pages/connect/ConnectForm.h"
#include "pages/connect/SecondFactorCard.h"
#include "pages/connect/TokenOffer.h"
#include "remotes/RemoteList.h"
#include "widgets/FactTable.h"
#include "widgets/SegmentedControl.h"
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>

bool ConnectForm::isToken() const
{
    return m_signIn->current() == 0;
}

/// Whatever was found out belongs to what stood there before.
void ConnectForm::edited()
{
    if (m_step == Step::Keeping)
        return;
    m_attempt.abandon();
    m_chains.clear();
    m_trusted.clear();
    m_realm->clear();
    for (QWidget *part :
         {static_cast<QWidget *>(m_certificate), static_cast<QWidget *>(m_code), static_cast<QWidget *>(m_result),
          static_cast<QWidget *>(m_offer), static_cast<QWidget *>(m_realm), static_cast<QWidget *>(m_realmLabel)})
        part->hide();
    say({});
    setStep(Step::Typing);
}

Remote ConnectForm::typed() const
{
    static const QRegularExpression between(QStringLiteral("[,;]"));
    Remote remote;
    if (m_edited)
        remote = *m_edited;
    else
        remote.id = QStringLiteral("trial");
    remote.name = m_name->text().trimmed();
    remote.addresses.clear();
    for (const auto &text : m_address->text().split(between, Qt::SkipEmptyParts))
        if (!text.trimmed().isEmpty())
            remote.addresses << text.trimmed();
    remote.signIn = isToken() ? Remote::SignIn::Token : Remote::SignIn::Password;
    QStringList realms;
    for (int i = 0; i < m_realm->count(); ++i)
        realms << m_realm->itemData(i).toString();
    const auto user = m_user->text().trimmed();
    remote.user = isToken() ? user : Realm::fullUser(user, m_realm->currentData().toString(), realms);
    remote.pins.clear();
    for (size_t i = 0; i < m_chains.size(); ++i)
        if (!m_chains[i].isTrusted() && m_trusted[i])
            remote.pins.insert(m_chains[i].address.key(), m_chains[i].own().sha256);
    return remote;
}

Secret ConnectForm::typedSecret() const
{
    const auto text = m_secret->text();
    return Secret((isToken() ? text.trimmed() : text).toUtf8());
}

/// Absent: the secret that is kept goes on.
std::optional<Secret> ConnectForm::newSecret() const
{
    if (m_edited && m_secret->text().isEmpty())
        return std::nullopt;
    return typedSecret();
}

/// False, and said, if one of them is none, or may mean another; the second time it is taken as it stands.
bool ConnectForm::readAddresses(QList<Address> *addresses)
{
    const auto remote = typed();
    for (const auto &text : remote.addresses.isEmpty() ? QStringList{m_address->text()} : remote.addresses) {
        const auto address = Address::from(text);
        const auto doubt = Address::doubt(text);
        if (address && (doubt.isEmpty() || m_doubted == m_address->text())) {
            addresses->append(*address);
            continue;
        }
        m_doubted = address ? m_address->text() : QString();
        say(address ? doubt + u' ' + tr("If it is right as it is, continue.") : address.error().message);
        m_address->setFocus();
        return false;
    }
    return true;
}

bool ConnectForm::hasSignIn()
{
    const auto remote = typed();
    const bool keepsSecret = m_edited && remote.signIn == m_edited->signIn && remote.user == m_edited->user;
    const bool hasUser = !m_user->text().trimmed().isEmpty();
    if (hasUser && (keepsSecret || !m_secret->text().isEmpty()))
        return true;
    say(isToken() ? tr("Type the token’s id and its secret.") : tr("Type the user’s name and password."));
    (hasUser ? m_secret : m_user)->setFocus();
    return false;
}

/// The one button: look, check or keep, whichever comes next.
void ConnectForm::go()
{
    if (m_step == Step::Checked) {
        keep();
    } else if (m_step == Step::Choosing) {
        check();
    } else if (m_step == Step::Typing) {
        say({});
        QList<Address> addresses;
        if (!readAddresses(&addresses) || !hasSignIn())
            return;
        setStep(Step::Looking);
        m_attempt.look(addresses);
    }
}

void ConnectForm::looked(const Result<std::vector<ShownChain>> &chains)
{
    if (!chains) {
        setStep(Step::Typing);
        say(chains.error().message);
        return;
    }
    m_chains = *chains;
    m_trusted.clear();
    for (const auto &chain : m_chains) {
        const bool isKnown = m_edited && m_edited->pins.value(chain.address.key()) == chain.own().sha256;
        m_trusted.push_back(chain.isTrusted() || isKnown);
    }
    m_certificate->show(m_chains.front());
    if (m_trusted.front() && !m_chains.front().isTrusted())
        m_certificate->setTrusted();
    askNextCertificate();
}

void ConnectForm::askNextCertificate()
{
    const auto next = std::find(m_trusted.begin(), m_trusted.end(), false);
    if (next == m_trusted.end()) {
        askRealms();
        return;
    }
    m_certificate->show(m_chains[static_cast<size_t>(next - m_trusted.begin())], m_chains.size() > 1);
    setStep(Step::Asking);
}

void ConnectForm::trust()
{
    const auto next = std::find(m_trusted.begin(), m_trusted.end(), false);
    if (next == m_trusted.end())
        return;
    *next = true;
    m_certificate->setTrusted();
    askNextCertificate();
}

/// A token names its realm; a user may have left it out.
void ConnectForm::askRealms()
{
    if (isToken()) {
        check();
        return;
    }
    setStep(Step::Listing);
    m_attempt.askRealms(typed());
}

void ConnectForm::chooseRealm(const Result<std::vector<Realm>> &realms)
{
    m_realm->clear();
    if (realms)
        for (const auto &realm : *realms)
            m_realm->addItem(DisplayText::visible(realm.comment.isEmpty()
                                                      ? realm.id
                                                      : realm.id + QStringLiteral(" · ") + realm.comment.left(80)),
                             realm.id);
    const auto user = m_user->text().trimmed();
    const bool isWhole = m_realm->count() == 0 || typed().user == user;
    m_realm->setVisible(!isWhole);
    m_realmLabel->setVisible(!isWhole);
    if (isWhole) {
        check();
        return;
    }
    setStep(Step::Choosing);
    m_realm->setFocus();
}

void ConnectForm::check()
{
    auto remote = typed();
    if (!m_edited)
        remote.name = QStringLiteral("trial");
    if (auto fine = m_remotes.prepare(remote); !fine && fine.error().kind == Error::Kind::Invalid) {
        setStep(Step::Typing);
        say(fine.error().message);
        return;
    }
    m_code->hide();
    setStep(Step::Checking);
    m_attempt.check(remote, newSecret());
}

void ConnectForm::fail(const Error &error)
{
    m_code->hide();
    setStep(Step::Typing);
    if (error.kind == Error::Kind::Unauthorized)
        say(isToken() ? tr("The server does not know this token, or the secret is not its own. %1").arg(error.message)
                      : tr("The server does not accept this user and password. %1").arg(error.message));
    else
        say(error.message);
}

static QString serverText(const ConnectFindings &found)
{
    QStringList parts{ConnectForm::tr("Proxmox VE %1").arg(DisplayText::visible(found.version))};
    if (!found.nodes)
        parts << ConnectForm::tr("nodes not visible to this sign-in");
    else if (*found.nodes == *found.online)
        parts << ConnectForm::tr("%n node(s)", nullptr, *found.nodes);
    else
        parts << ConnectForm::tr("%1 of %2 nodes online").arg(*found.online).arg(*found.nodes);
    if (found.quorate)
        parts << (*found.quorate ? ConnectForm::tr("quorate") : ConnectForm::tr("without quorum"));
    return parts.join(QStringLiteral(", "));
}

void ConnectForm::showFindings(const ConnectFindings &findings)
{
    m_facts->clear();
    m_facts->add(tr("Server"), serverText(findings));
    const auto &words = findings.permissions;
    m_facts->add(isToken() ? tr("This token may") : tr("This user may"),
                 words.isNothing ? tr("do nothing at all") : words.may.join(QStringLiteral(", ")),
                 words.isNothing ? Tone::Red : Tone::Neutral);
    if (!words.isNothing && !words.mayNot.isEmpty())
        m_facts->add(tr("It may not"), words.mayNot.join(QStringLiteral(", ")));
    if (m_name->text().isEmpty())
        m_name->setText(DisplayText::visible(findings.clusterName.isEmpty() ? m_chains.front().address.host
                                                                            : findings.clusterName));
    m_hasNoRights = words.isNothing;
    m_result->show();
}

void ConnectForm::checked(const Result<ConnectFindings> &findings)
{
    if (!findings) {
        fail(findings.error());
        return;
    }
    m_code->hide();
    showFindings(*findings);
    if (!isToken() && !m_edited && findings->permissions.mayGrant)
        m_attempt.askChoices(); // the step goes on when the choices are there
    else
        ready();
}

/// Without choices the password is kept, as for a user who may not give rights.
void ConnectForm::offer(const Result<TokenChoices> &choices)
{
    if (choices)
        m_offer->show(*choices);
    ready();
}

void ConnectForm::ready()
{
    setStep(Step::Checked);
    if (m_hasNoRights)
        say(tr("It has no rights, so nothing would be seen. On a node, this lets it look at everything:"),
            PermissionWords::commandThatGrants(typed().user));
    m_go->setFocus();
}

void ConnectForm::keep()
{
    say({});
    setStep(Step::Keeping);
    if (m_edited)
        m_attempt.change(typed(), newSecret());
    else if (const auto grant = m_offer->grant())
        m_attempt.keepWithToken(typed(), *grant);
    else
        m_attempt.keep(typed(), typedSecret());
}

void ConnectForm::kept(const Result<Remote> &remote)
{
    if (!remote) {
        setStep(Step::Checked);
        say(remote.error().message);
        return;
    }
    m_secret->clear();
    setStep(Step::Typing);
    Q_EMIT connected(*remote);
}
