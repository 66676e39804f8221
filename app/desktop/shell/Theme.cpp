#include "shell/Theme.h"
#include "shell/StyleSheet.h"
#include "widgets/Tones.h"
#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>

static const auto portal = QStringLiteral("org.freedesktop.portal.Desktop");
static const auto portalPath = QStringLiteral("/org/freedesktop/portal/desktop");
static const auto portalSettings = QStringLiteral("org.freedesktop.portal.Settings");
static const auto appearanceSpace = QStringLiteral("org.freedesktop.appearance");
static const auto colorScheme = QStringLiteral("color-scheme");

Theme::Theme(Appearance appearance, QObject *parent)
    : QObject(parent), m_appearance(appearance), m_paletteIsDark(Tones::of(QApplication::palette()).isDark)
{
    apply();
    askDesktop();
}

void Theme::setAppearance(Appearance appearance)
{
    m_appearance = appearance;
    apply();
}

/// Qt 6.4 does not know the desktop's preference unless a platform plugin tells it; the portal does.
void Theme::askDesktop()
{
    auto bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(portal, portalPath, portalSettings, QStringLiteral("SettingChanged"), this,
                SLOT(settingChanged(QString, QString, QDBusVariant)));
    auto call = QDBusMessage::createMethodCall(portal, portalPath, portalSettings, QStringLiteral("Read"));
    call << appearanceSpace << colorScheme;
    auto *watcher = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        watcher->deleteLater();
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (reply.isValid())
            settingChanged(appearanceSpace, colorScheme, reply.value());
    });
}

void Theme::settingChanged(const QString &space, const QString &key, const QDBusVariant &value)
{
    if (space != appearanceSpace || key != colorScheme)
        return;
    auto inner = value.variant();
    if (inner.canConvert<QDBusVariant>()) // Read() wraps its answer twice
        inner = inner.value<QDBusVariant>().variant();
    m_preference = inner.toInt();
    apply();
}

void Theme::apply()
{
    auto dark = m_paletteIsDark;
    if (m_preference != 0)
        dark = m_preference == 1;
    if (m_appearance != Appearance::System)
        dark = m_appearance == Appearance::Dark;
    const auto &tones = dark ? Tones::dark() : Tones::light();
    QApplication::setPalette(tones.palette());
    qApp->setStyleSheet(styleSheet(tones));
}
