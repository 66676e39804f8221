#include "shell/StyleSheet.h"
#include "widgets/Tones.h"
#include <QHash>

static const auto sheet = QStringLiteral(R"(
QToolTip { background: @surface; color: @text; border: 1px solid @border; padding: 4px 6px; }
QFrame#card { background: @surface; border: 1px solid @border; border-radius: 8px; }
QFrame#card[tone="amber"] { background: @amberFill; border-color: @amberStrong; }
QFrame#card[selected="true"] { border-color: @accent; }
QFrame#well { background: @canvas; border: none; border-radius: 5px; }
QWidget#surface, QWidget#topBar, QWidget#statusBar { background: @surface; }
QWidget#canvas { background: @canvas; }
QWidget#sidebar { background: @sidebar; }
QFrame#line { background: @border; border: none; }
QFrame#hairline { background: @hairline; border: none; }
QLabel { background: transparent; }
QLabel[role="muted"], QLabel[role="heading"] { color: @muted; }
QLabel[role="bad"] { color: @redText; }
QLabel[role="good"] { color: @greenText; }

QPushButton { background: @surface; color: @text; border: 1px solid @border; border-radius: 6px; padding: 5px 12px; }
QPushButton:hover { background: @canvas; }
QPushButton:pressed, QPushButton:checked { background: @accentFill; color: @accentText; border-color: @border; }
QPushButton:disabled { color: @disabled; background: @canvas; }
QPushButton:focus { border: 1px solid @accent; }
QPushButton::menu-indicator { width: 0; image: none; }
QPushButton[role="primary"] { background: @accent; color: white; border: 1px solid @accent; }
QPushButton[role="primary"]:hover { background: @accentHover; }
QPushButton[role="primary"]:focus { border: 1px solid @text; }
QPushButton[role="primary"]:disabled { background: @track; color: @disabled; border-color: @track; }
QPushButton[role="danger"] { color: @redText; border-color: @redStrong; }
QPushButton[role="danger"]:hover { background: @redFill; }
QPushButton[role="danger"]:disabled { color: @disabled; border-color: @border; }
QPushButton[role="link"] { background: transparent; border: 1px solid transparent; color: @accentText; padding: 1px 3px; }
QPushButton[role="link"]:hover { text-decoration: underline; }
QPushButton[role="link"]:focus { border: 1px solid @accent; border-radius: 4px; }
QPushButton[role="link"]:disabled { color: @disabled; }
QPushButton[role="stop"] { background: transparent; border: 1px solid transparent; color: @redText; padding: 1px 3px; }
QPushButton[role="stop"]:hover { text-decoration: underline; }
QPushButton[role="stop"]:focus { border: 1px solid @redStrong; border-radius: 4px; }

QFrame#segments { border: 1px solid @border; border-radius: 6px; background: @surface; }
QPushButton[role="segment"] { border: none; border-radius: 0; padding: 3px 6px; color: @muted; background: transparent; }
QPushButton[role="segment"][place="first"] { border-top-left-radius: 5px; border-bottom-left-radius: 5px; }
QPushButton[role="segment"][place="last"] { border-top-right-radius: 5px; border-bottom-right-radius: 5px; }
QPushButton[role="segment"]:checked { background: @accentFill; color: @accentText; font-weight: 600; }
QPushButton[role="segment"]:focus { color: @text; text-decoration: underline; }

QLineEdit, QPlainTextEdit, QTextEdit, QSpinBox, QDoubleSpinBox, QComboBox {
  background: @surface; color: @text; border: 1px solid @border; border-radius: 6px; padding: 4px 9px;
  selection-background-color: @accent; selection-color: white; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border-color: @accent; }
QLineEdit:disabled, QPlainTextEdit:disabled, QSpinBox:disabled, QComboBox:disabled { color: @disabled; background: @canvas; }
QLineEdit[wrong="true"], QPlainTextEdit[wrong="true"], QSpinBox[wrong="true"] { border-color: @redStrong; }
QComboBox { padding: 4px 9px; }
QComboBox QAbstractItemView { background: @surface; border: 1px solid @border; selection-background-color: @accentFill; selection-color: @text; outline: 0; }

QAbstractItemView { background: @surface; color: @text; border: none; outline: 0; selection-background-color: @accentFill; selection-color: @text; }
QTreeView#inventory { background: @sidebar; selection-background-color: transparent; }
QTreeView#inventory::item:selected, QTreeView#inventory::branch:selected { background: transparent; }
QTableView, QTreeView { gridline-color: transparent; }
QHeaderView { background: transparent; }
QHeaderView::section { background: @surface; color: @muted; border: none; border-bottom: 1px solid @hairline; padding: 5px 8px; font-weight: 600; }

QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: @muted; border: none; border-bottom: 2px solid transparent; padding: 7px 13px; margin: 0; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:selected { color: @accentText; border-bottom: 2px solid @accent; font-weight: 600; }
QTabBar::tab:focus { color: @accentText; background: @accentFill; }
QTabWidget::tab-bar { left: 5px; }
QTabWidget::pane { border: none; border-top: 1px solid @border; background: @canvas; }

QProgressBar { background: @track; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; text-align: center; color: transparent; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QProgressBar[tone="amber"]::chunk { background: @amberStrong; }
QProgressBar[tone="red"]::chunk { background: @redStrong; }

QMenu { background: @surface; color: @text; border: 1px solid @border; padding: 4px; }
QMenu::item { padding: 5px 22px 5px 10px; border-radius: 4px; }
QMenu::icon { padding-left: 6px; }
QMenu::item:selected { background: @accentFill; color: @text; }
QMenu::item:disabled { color: @disabled; }
QMenu::separator { height: 1px; background: @hairline; margin: 4px 6px; }

QListView#paletteList { background: @surface; border: 1px solid @border; border-radius: 8px; padding: 4px 0; }

QSplitter::handle { background: @border; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QScrollArea { border: none; background: transparent; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @scroll; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QDialog { background: @surface; border: 1px solid @border; }
)");

QString styleSheet(const Tones &tones)
{
    const QList<std::pair<QLatin1String, QColor>> words{
        // longer words first: "@accentFill" before "@accent"
        {QLatin1String("@accentHover"), tones.accent.darker(112)},
        {QLatin1String("@accentFill"), tones.accentFill},
        {QLatin1String("@accentText"), tones.accentText},
        {QLatin1String("@accent"), tones.accent},
        {QLatin1String("@amberFill"), tones.amber.fill},
        {QLatin1String("@amberStrong"), tones.amber.strong},
        {QLatin1String("@redText"), tones.red.text},
        {QLatin1String("@redFill"), tones.red.fill},
        {QLatin1String("@redStrong"), tones.red.strong},
        {QLatin1String("@greenText"), tones.green.text},
        {QLatin1String("@canvas"), tones.canvas},
        {QLatin1String("@surface"), tones.surface},
        {QLatin1String("@sidebar"), tones.sidebar},
        {QLatin1String("@border"), tones.border},
        {QLatin1String("@hairline"), tones.hairline},
        {QLatin1String("@text"), tones.text},
        {QLatin1String("@muted"), tones.muted},
        {QLatin1String("@track"), tones.track},
        {QLatin1String("@scroll"), tones.neutral.strong},
        {QLatin1String("@disabled"), tones.palette().color(QPalette::Disabled, QPalette::Text)},
    };
    auto filled = sheet;
    for (const auto &[word, color] : words)
        filled.replace(word, color.name());
    return filled;
}
