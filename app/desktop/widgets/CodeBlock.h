#pragma once
#include <QPlainTextEdit>

/// Exact text in a fixed-width font on a grey ground: requests, commands, snippets. Can be selected, not edited; wraps
/// anywhere and is as high as its text.
class CodeBlock : public QPlainTextEdit
{
    Q_OBJECT
public:
    enum class Ground { Grey, None };
    /// Shown as it is; pass text from outside through DisplayText::visible first.
    explicit CodeBlock(const QString &text = {}, QWidget *parent = nullptr, Ground ground = Ground::Grey);
    void setCode(const QString &text);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void wheelEvent(QWheelEvent *event) override;

private:
    int m_padding; ///< pixels on each side
};
