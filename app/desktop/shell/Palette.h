#pragma once
#include "widgets/Mark.h"
#include <QLineEdit>
#include <functional>

class QListView;
class QStandardItemModel;

/// One thing that can be reached by typing.
struct PaletteEntry {
    QString title, aside; ///< safe to show
    Mark mark = Mark::None;
    std::function<void()> run;
};

/// The search field of the top bar: finds guests, nodes, pages and actions by words, and goes there.
class Palette : public QLineEdit
{
    Q_OBJECT
public:
    /// Asked for everything that fits these lower-case words, best first; at most `most` are shown.
    using Source = std::function<std::vector<PaletteEntry>(const QStringList &words)>;
    explicit Palette(QWidget *parent = nullptr);
    void setSource(Source source) { m_source = std::move(source); }
    static constexpr size_t most = 12;

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    QSize sizeHint() const override { return {280, QLineEdit::sizeHint().height()}; }

private:
    void search();
    void place();
    void run(int row);
    Source m_source;
    std::vector<PaletteEntry> m_found;
    QListView *m_list;
    QStandardItemModel *m_rows;
};
