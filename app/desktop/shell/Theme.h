#pragma once
#include <QObject>

class QDBusVariant;

/// Gives the whole application its palette and style sheet, light or dark as the system says, and follows the system
/// when it changes its mind.
class Theme : public QObject
{
    Q_OBJECT
public:
    enum class Appearance { System, Light, Dark };
    explicit Theme(Appearance appearance, QObject *parent = nullptr);
    void setAppearance(Appearance appearance);

private Q_SLOTS:
    void settingChanged(const QString &space, const QString &key, const QDBusVariant &value);

private:
    void askDesktop();
    void apply();
    Appearance m_appearance;
    bool m_paletteIsDark; ///< what the system's own palette looked like at the start
    int m_preference = 0; ///< of the desktop portal: 0 none, 1 dark, 2 light
};
